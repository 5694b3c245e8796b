import { describe, expect, it } from 'vitest'
import { shop } from '../support/client.js'
import { accessControlOf, exchange, openServer, toHttpText } from '../support/raw-connection.js'

const SHOP = { fixtures: shop([{ id: 1, name: 'Rex' }]), cors: ['https://app.example'] }
const EXPOSED = ['Deprecation', 'Link', 'Location', 'Sunset', 'X-Petstore-Mock', 'X-Stability', 'X-Total-Count']

const FRIENDS = [
  'http://localhost',
  'http://localhost:5173',
  'https://localhost:8443',
  'http://127.0.0.1:3000',
  'https://127.0.0.1',
  'http://[::1]:8080',
  'https://app.example',
]

const STRANGERS = [
  'https://evil.example',
  'null',
  'http://localhost.evil.example',
  'http://localhost.',
  'http://evil-localhost',
  'http://127.0.0.1.evil.example',
  'http://127.0.0.2',
  'http://localhost:5173.evil.example',
  'http://localhost:5173/',
  'http://localhost@evil.example',
  'http://localhost:123456',
  'http://localhost:5173, https://evil.example',
  'file://',
  'ftp://localhost',
  'http://app.example',
  'https://app.example:8443',
  'https://app.example.evil.example',
  'https://sub.app.example',
  'https://app.example/',
  'https://app_example',
]

describe('a page of a friendly origin', () => {
  it.each(FRIENDS)('I4 may read the API from %s', async (origin) => {
    const server = await openServer(SHOP)
    for (const [path, status] of [
      ['/pets', 200],
      ['/pets/1', 200],
      ['/pets/99', 404],
      ['/pets/abc', 400],
      ['/nope', 404],
      ['/openapi.json', 200],
    ] as const) {
      const answer = await server.fetch(path, { headers: { origin } })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
      expect(answer.headers.get('vary')).toMatch(/\borigin\b/i)
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
    }
  })

  it.each(EXPOSED)('may read the header %s', async (name) => {
    const server = await openServer(SHOP)
    const answer = await server.fetch('/pets/1', { headers: { origin: 'http://localhost:5173' } })
    expect(answer.headers.get('access-control-expose-headers')?.split(/ *, */)).toContain(name)
  })

  it.each([
    ['/pets', 'POST', ['GET', 'HEAD', 'OPTIONS', 'POST']],
    ['/pets/1', 'PUT', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PUT']],
    ['/store/orders/1', 'PATCH', ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH']],
  ])('is told before asking what %s takes', async (path, method, methods) => {
    const server = await openServer(SHOP)
    for (const origin of ['http://localhost:5173', 'https://app.example']) {
      const answer = await server.fetch(path, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'content-type,x-petstore-sandbox',
        },
      })
      expect(answer.status).toBe(204)
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
      expect(answer.headers.get('access-control-allow-methods')?.split(/ *, */).sort()).toStrictEqual(methods)
      const allowed = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(/ *, */)
      expect(allowed).toStrictEqual(expect.arrayContaining(['content-type', 'x-petstore-sandbox']))
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
    }
  })

  it('is told nothing about headers that cannot be headers', async () => {
    const server = await openServer(SHOP)
    for (const names of ['a b', 'x;y', '"x"', 'x,,y', Array.from({ length: 500 }, (_, index) => `x-${index}`).join()]) {
      const answer = await server.fetch('/pets', {
        method: 'OPTIONS',
        headers: {
          origin: 'http://localhost:5173',
          'access-control-request-method': 'POST',
          'access-control-request-headers': names,
        },
      })
      expect(answer.status).toBe(204)
      expect(answer.headers.has('access-control-allow-headers')).toBe(false)
    }
  })

  it('reads nothing where the request is for another host', async () => {
    const server = await openServer(SHOP)
    for (const method of ['GET', 'OPTIONS']) {
      const head = [
        `${method} /pets HTTP/1.1`,
        'Host: evil.example',
        'Origin: http://localhost:5173',
        'Connection: close',
      ]
      const [answer] = await exchange(server.port, toHttpText([...head, 'Access-Control-Request-Method: GET']))
      expect(answer?.status).toBe(421)
      expect(accessControlOf(answer?.headers ?? new Headers())).toStrictEqual([])
    }
  })
})

describe('a page of a strange origin', () => {
  it.each(STRANGERS)('I4 is told nothing when it is %s', async (origin) => {
    const server = await openServer(SHOP)
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

  it('is everyone beyond loopback when no origin was named', async () => {
    const server = await openServer({ fixtures: SHOP.fixtures })
    const answer = await server.fetch('/pets', { headers: { origin: 'https://app.example' } })
    expect(accessControlOf(answer.headers)).toStrictEqual([])
  })
})

it('tells a client that is no page nothing about pages', async () => {
  const server = await openServer(SHOP)
  expect(accessControlOf((await server.fetch('/pets')).headers)).toStrictEqual([])
  expect(accessControlOf((await server.fetch('/pets', { method: 'OPTIONS' })).headers)).toStrictEqual([])
})
