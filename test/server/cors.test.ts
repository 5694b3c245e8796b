import { describe, expect, it } from 'vitest'
import { shop } from '../support/client.js'
import { accessControlOf, openServer } from '../support/raw-connection.js'
import { shareServer } from './share-server.js'

const SHOP = { fixtures: shop([{ id: 1, name: 'Rex' }]), cors: ['https://app.example'] }
const server = await shareServer(SHOP)
const EXPOSED = [
  'Deprecation',
  'Link',
  'Location',
  'Preference-Applied',
  'Sunset',
  'X-Petstore-Mock',
  'X-Stability',
  'X-Total-Count',
]

const ALLOWED = [
  'http://localhost',
  'http://localhost:5173',
  'https://localhost:8443',
  'http://127.0.0.1:3000',
  'https://127.0.0.1',
  'http://[::1]:8080',
  'https://app.example',
]

const FOREIGN = [
  'https://evil.example',
  'null',
  'http://localhost.evil.example',
  'http://127.0.0.2',
  'http://localhost@evil.example',
  'http://localhost:5173, https://evil.example',
  'file://',
  'http://app.example',
  'https://app.example.evil.example',
  'https://sub.app.example',
  'https://app.example:8443',
  'https://app.example/',
]

describe('a page of an allowed origin', () => {
  it.each(ALLOWED)('I4 may read the API from %s', async (origin) => {
    for (const [path, status] of [
      ['/pets', 200],
      ['/pets/1', 200],
      ['/pets/99', 404],
      ['/pets/abc', 400],
      ['/nope', 404],
      ['/openapi.json', 200],
    ] as const) {
      const response = await server.fetch(path, { headers: { origin } })
      expect(response.status).toBe(status)
      expect(response.headers.get('access-control-allow-origin')).toBe(origin)
      expect(response.headers.get('vary')).toMatch(/\borigin\b/i)
      expect(response.headers.has('access-control-allow-credentials')).toBe(false)
    }
  })

  it('gets a Vary header with Origin and what the response varies by', async () => {
    const headers = { origin: 'https://app.example', accept: 'text/html' }
    const response = await server.fetch('/', { headers, redirect: 'manual' })
    expect([response.status, response.headers.get('vary')]).toEqual([302, 'Accept, Origin'])
  })

  it.each(['https://app.test/', 'https://app.test:443', 'https://APP.test'])(
    'may read the API if the origin is configured as %s',
    async (origin) => {
      const server = await openServer({ ...SHOP, cors: [origin] })
      const response = await server.fetch('/pets', { headers: { origin: 'https://app.test' } })
      expect(response.headers.get('access-control-allow-origin')).toBe('https://app.test')
    },
  )

  it.each(EXPOSED)('may read the header %s', async (name) => {
    const response = await server.fetch('/pets/1', { headers: { origin: 'http://localhost:5173' } })
    expect(response.headers.get('access-control-expose-headers')?.split(/ *, */)).toContain(name)
  })

  it.each([
    ['/pets', 'POST', 201],
    ['/pets/1', 'PUT', 200],
    ['/store/inventory', 'PUT', 405],
    ['/pets/1', 'LINK', 405],
    ['/pest', 'POST', 404],
  ])('gets a successful preflight, and then the response, for %s with %s', async (path, method, status) => {
    const server = await openServer(SHOP)
    for (const origin of ['http://localhost:5173', 'https://app.example']) {
      const preflight = await server.fetch(path, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'content-type,x-petstore-sandbox',
        },
      })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
      expect(preflight.headers.get('access-control-allow-methods')?.split(', ')).toContain(method)
      expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type,x-petstore-sandbox')
      expect(preflight.headers.has('access-control-allow-credentials')).toBe(false)
      const headers = { origin, 'content-type': 'application/json' }
      const response = await server.fetch(path, { method, headers, body: '{"name":"Max","categoryId":1}' })
      expect(response.status).toBe(status)
      expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    }
  })

  it('sends preflights that are not recorded and use up no fault', async () => {
    const { petstore, fetch } = await openServer(SHOP)
    petstore.faults.add({ status: 503, times: 1 })
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }
    expect((await fetch('/pets', { method: 'OPTIONS', headers })).status).toBe(204)
    expect([petstore.journal.total, petstore.faults.list()[0]?.matched]).toEqual([0, 0])
    expect((await fetch('/pets', { headers: { origin: 'https://app.example' } })).status).toBe(503)
  })

  it('may send credentials only if its origin is configured and credentials are on', async () => {
    const server = await openServer({ ...SHOP, corsCredentials: true })
    const allowed = async (origin: string, method: string) => {
      const headers = { origin, 'access-control-request-method': 'GET' }
      return (await server.fetch('/pets', { method, headers })).headers.get('access-control-allow-credentials')
    }
    for (const method of ['GET', 'OPTIONS']) {
      expect(await allowed('https://app.example', method)).toBe('true')
      expect(await allowed('http://localhost:5173', method)).toBeNull()
      expect(await allowed('https://evil.example', method)).toBeNull()
    }
    await expect(openServer({ corsCredentials: true })).rejects.toThrow('"corsCredentials" requires the option "cors"')
  })

  it.each(['capacitor://localhost', 'ionic://localhost', 'tauri://localhost', 'chrome-extension://abcdefghijklmnop'])(
    'may be an app or an extension: %s',
    async (origin) => {
      const server = await openServer({ ...SHOP, cors: [origin] })
      const headers = { origin, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }
      const response = await server.fetch('/pets', { headers })
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, origin])
    },
  )

  it('gets no Access-Control-Allow-Headers for malformed header names', async () => {
    for (const names of ['a b', 'x;y', '"x"', 'x,,y', Array.from({ length: 500 }, (_, index) => `x-${index}`).join()]) {
      const response = await server.fetch('/pets', {
        method: 'OPTIONS',
        headers: {
          origin: 'http://localhost:5173',
          'access-control-request-method': 'POST',
          'access-control-request-headers': names,
        },
      })
      expect(response.status).toBe(204)
      expect(response.headers.has('access-control-allow-headers')).toBe(false)
    }
  })
})

describe('a page of a foreign origin', () => {
  it.each(FOREIGN)('I4 gets no CORS headers: %s', async (origin) => {
    const read = await server.fetch('/pets', { headers: { origin } })
    expect(read.status).toBe(200)
    expect(accessControlOf(read.headers)).toStrictEqual([])
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    }
    const preflight = await server.fetch('/pets', { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    expect(accessControlOf(preflight.headers)).toStrictEqual([])
  })

  it('may be any page beyond loopback if the option cors is not set', async () => {
    const server = await openServer({ fixtures: SHOP.fixtures })
    const response = await server.fetch('/pets', { headers: { origin: 'https://app.example' } })
    expect(accessControlOf(response.headers)).toStrictEqual([])
  })
})

it('sends no CORS headers to a client without an Origin', async () => {
  expect(accessControlOf((await server.fetch('/pets')).headers)).toStrictEqual([])
  expect(accessControlOf((await server.fetch('/pets', { method: 'OPTIONS' })).headers)).toStrictEqual([])
})

describe('a request that a proxy forwards from below a path', () => {
  it.each(['/api', '/api/', '/shop/v1'])('has it in the references of the response: %s', async (sent) => {
    const prefix = sent.replace(/\/$/, '')
    const headers = { 'x-forwarded-prefix': sent, 'content-type': 'application/json' }
    const body = '{"name":"Max","categoryId":1}'
    const created = await server.fetch('/sandbox/proxied/pets', { method: 'POST', headers, body })
    expect(created.headers.get('location')).toBe(`${prefix}/sandbox/proxied/pets/2`)
    expect((await server.fetch('/pets/1', { headers })).headers.get('link')).toContain(`<${prefix}/docs#getPet>`)
    const page = await server.fetch('/', { headers: { ...headers, accept: 'text/html' }, redirect: 'manual' })
    expect(page.headers.get('location')).toBe(`${prefix}/__admin/`)
  })

  it.each(['api', '//evil.example', '/a b', '/a?b', 'https://evil.example', `/${'a'.repeat(200)}`])(
    'is rejected if the path is invalid: %s',
    async (prefix) => {
      const response = await server.fetch('/pets', { headers: { 'x-forwarded-prefix': prefix } })
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining('X-Forwarded-Prefix must be a path'),
      ])
    },
  )
})
