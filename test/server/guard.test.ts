import { describe, expect, it } from 'vitest'
import { expectError, readResponse, shop } from '../support/client.js'
import { accessControlOf, exchange, expectBytesRejected, openServer, toHttpText } from '../support/raw-connection.js'
import { shareServer } from './share-server.js'

const SHOP = { fixtures: shop([{ id: 1, name: 'Rex' }]) }
const server = await shareServer(SHOP)
const CLOSE = 'Connection: close'
const NEW_PET = JSON.stringify({ name: 'Bo', categoryId: 1 })

/** A request to create a pet, with these header lines instead of a Host. */
function create(target: string, ...hostLines: string[]): string {
  const rest = [CLOSE, 'Content-Type: application/json', `Content-Length: ${NEW_PET.length}`]
  return toHttpText([`POST ${target} HTTP/1.1`, ...hostLines, ...rest], NEW_PET)
}

function get(target: string, ...headers: string[]): string {
  return toHttpText([`GET ${target} HTTP/1.1`, CLOSE, ...headers])
}

describe('the Host header', () => {
  it.each(['localhost', 'localhost:PORT', 'LOCALHOST:PORT', '127.0.0.1:PORT', '[::1]:PORT', '[::1]', 'localhost:'])(
    'D25 may be %s',
    async (host) => {
      const [response] = await exchange(
        server.port,
        get('/pets/1', `Host: ${host.replace('PORT', String(server.port))}`),
      )
      expect(response).toMatchObject({ status: 200, body: { id: 1, name: 'Rex' } })
    },
  )

  it.each(['evil.example', 'localhost.', 'localhost.evil.example', '127.0.0.2', '0.0.0.0:PORT', '[::ffff:127.0.0.1]'])(
    'D13 is rejected with 421: %s',
    async (host) => {
      const request = create('/pets', `Host: ${host.replace('PORT', String(server.port))}`)
      const response = await expectBytesRejected(server, request, 421, 'MISDIRECTED_REQUEST', host.replace(':PORT', ''))
      expect(response.text).not.toContain('Rex')
    },
  )

  it.each(['', 'a b', 'user@x', 'localhost:abc', 'localhost/pets', 'localhost,localhost', '::1', 'l\xf6calhost'])(
    'D12 is rejected with 400: "%s"',
    async (host) => {
      await expectBytesRejected(server, create('/pets', `Host: ${host}`), 400, 'BAD_REQUEST')
    },
  )

  it.each([
    ['D10 the same host twice', ['Host: localhost', 'Host: localhost']],
    ['D10 an unknown host second', ['Host: localhost', 'Host: evil.example']],
    ['D10 an unknown host first', ['host: evil.example', 'HOST: localhost']],
    ['D11 no host', []],
  ])('%s is rejected with 400', async (_, hostLines) => {
    await expectBytesRejected(server, create('/pets', ...hostLines), 400, 'BAD_REQUEST', 'Host')
  })

  it('may be an allowed name in any case and with any port, but not a subdomain of it', async () => {
    const server = await openServer({ ...SHOP, allowHost: ['Petstore.test'] })
    for (const host of ['petstore.test', 'PETSTORE.test:80']) {
      const [response] = await exchange(server.port, get('/pets', `Host: ${host}`))
      expect(response?.status).toBe(200)
    }
    await expectBytesRejected(server, create('/pets', 'Host: a.petstore.test'), 421, 'MISDIRECTED_REQUEST')
  })
})

describe('an absolute-form target', () => {
  it.each(['http://localhost:PORT', 'http://127.0.0.1:PORT', 'HTTP://LOCALHOST:PORT', 'http://[::1]:PORT'])(
    'A12 with the server address %s gets the same response as its path alone',
    async (base) => {
      const authority = `127.0.0.1:${server.port}`
      const absolute = `${base.replace('PORT', String(server.port))}/pets?limit=1`
      const [plain] = await exchange(server.port, get('/pets?limit=1', `Host: ${authority}`))
      const [response] = await exchange(server.port, get(absolute, `Host: ${authority}`))
      expect(response).toMatchObject({ status: 200, text: plain?.text })
      expect(response?.headers.get('link')).toBe(plain?.headers.get('link'))
    },
  )

  it.each([
    ['http://evil.example/pets', 421, 'MISDIRECTED_REQUEST'],
    ['http://user@localhost/pets', 400, 'BAD_REQUEST'],
    ['http://localhost@evil.example/pets', 400, 'BAD_REQUEST'],
    ['http:///pets', 400, 'BAD_REQUEST'],
  ])('A23 %s is rejected even if Host is valid', async (target, status, code) => {
    await expectBytesRejected(server, create(target, 'Host: localhost'), status, code)
  })
})

describe('the admin API', () => {
  it.each([
    ['another port', 'http://127.0.0.1:1'],
    ['no port', 'http://127.0.0.1'],
    ['another scheme', 'https://127.0.0.1:PORT'],
    ['a trailing slash', 'http://127.0.0.1:PORT/'],
    ['an empty origin', ''],
    ['its own origin and a foreign one', 'http://127.0.0.1:PORT, https://evil.example'],
  ])('rejects a page of %s', async (_, origin) => {
    const headers = [`Host: 127.0.0.1:${server.port}`, `Origin: ${origin.replace('PORT', String(server.port))}`]
    const response = await expectBytesRejected(server, get('/__admin/health', ...headers), 403, 'FORBIDDEN_ORIGIN')
    expect(accessControlOf(response.headers)).toStrictEqual([])
  })
})

describe('the option adminToken', () => {
  const TOKEN = 'kept-secret'

  it.each([
    ['no header', undefined, 'requires a token. Send the header "Authorization: Bearer <token>".'],
    ['another token', 'Bearer other', 'The token is wrong.'],
    ['the start of it', 'Bearer kept', 'The token is wrong.'],
    ['more than it', 'Bearer kept-secret2', 'The token is wrong.'],
    ['another scheme', `Basic ${TOKEN}`, 'requires a token.'],
  ])('is required on loopback: %s is rejected', async (_, authorization, message) => {
    const server = await openServer({ ...SHOP, adminToken: TOKEN })
    for (const path of ['/__admin/health', '/%5f%5fadmin/health', '/__admin/nope']) {
      const response = await readResponse(await server.fetch(path, authorization ? { headers: { authorization } } : {}))
      expectError(response, 401, 'UNAUTHORIZED', message)
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
      expect(response.text).not.toContain(TOKEN)
    }
  })

  it('gives access to the admin API, and is not required by the API', async () => {
    const server = await openServer({ ...SHOP, adminToken: TOKEN })
    expect(server.adminToken).toBe(TOKEN)
    const headers = { authorization: `Bearer ${TOKEN}` }
    expect((await server.fetch('/__admin/health', { headers })).status).toBe(200)
    for (const path of ['/pets/1', '/openapi.yaml', '/openapi.json'])
      expect((await server.fetch(path)).status).toBe(200)
  })
})

describe('a server that listens beyond loopback', () => {
  it('generates a token, which the admin API requires', async () => {
    const server = await openServer({ ...SHOP, host: '0.0.0.0' })
    expect(server.adminToken).toMatch(/^[\w-]{20,}$/)
    expectError(await readResponse(await server.fetch('/__admin/health')), 401, 'UNAUTHORIZED')
    const headers = { authorization: `Bearer ${server.adminToken}` }
    expect((await server.fetch('/__admin/health', { headers })).status).toBe(200)
    expect((await server.fetch('/pets/1')).status).toBe(200)
  })

  it('generates a new token each time, unless one is given', async () => {
    const [one, two] = [await openServer({ ...SHOP, host: '0.0.0.0' }), await openServer({ ...SHOP, host: '0.0.0.0' })]
    expect(one.adminToken).not.toBe(two.adminToken)
    expect((await openServer({ ...SHOP, host: '0.0.0.0', adminToken: 'mine' })).adminToken).toBe('mine')
  })

  it('has a reachable url, and accepts the host 0.0.0.0 only if it is allowed', async () => {
    const server = await openServer({ ...SHOP, host: '0.0.0.0' })
    expect(server).toMatchObject({ host: '0.0.0.0', url: `http://127.0.0.1:${server.port}` })
    expect((await fetch(`${server.url}/pets/1`)).status).toBe(200)
    await expectBytesRejected(server, create('/pets', 'Host: 0.0.0.0'), 421, 'MISDIRECTED_REQUEST')
    const mock = await openServer({ ...SHOP, host: '0.0.0.0', allowHost: ['0.0.0.0'] })
    expect(await exchange(mock.port, get('/pets/1', 'Host: 0.0.0.0'))).toMatchObject([{ status: 200 }])
  })
})
