import { describe, expect, it } from 'vitest'
import { expectError, readResponse, shop } from '../support/client.js'
import {
  accessControlOf,
  exchange,
  expectBytesRejected,
  openConnection,
  openServer,
  toHttpText,
} from '../support/raw-connection.js'

const SHOP = { fixtures: shop([{ id: 1, name: 'Rex' }]) }
const CLOSE = 'Connection: close'
const NEW_PET = JSON.stringify({ name: 'Bo', categoryId: 1 })

/** A request that would create a pet, were it taken, with the given lines in place of its Host. */
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
      const server = await openServer(SHOP)
      const [answer] = await exchange(server.port, get('/pets/1', `Host: ${host.replace('PORT', String(server.port))}`))
      expect(answer).toMatchObject({ status: 200, body: { id: 1, name: 'Rex' } })
    },
  )

  it.each([
    'evil.example',
    'evil.example:PORT',
    'localhost.',
    'localhost.:PORT',
    'localhost.evil.example',
    'evil-localhost',
    'xlocalhost',
    '127.0.0.1.evil.example',
    '127.0.0.2',
    '127.1',
    '2130706433',
    '0.0.0.0:PORT',
    '[::]',
    '[::1:1]',
    '[::ffff:127.0.0.1]',
  ])('D13 is refused as misdirected when it is %s', async (host) => {
    const server = await openServer(SHOP)
    const request = create('/pets', `Host: ${host.replace('PORT', String(server.port))}`)
    const answer = await expectBytesRejected(server, request, 421, 'MISDIRECTED_REQUEST', host.replace(':PORT', ''))
    expect(answer.text).not.toContain('Rex')
  })

  it.each([
    '',
    'a b',
    'user@x',
    'user@localhost',
    'user:secret@localhost',
    'localhost:abc',
    'localhost:-1',
    'localhost:123456',
    'localhost:65536',
    'localhost/pets',
    'localhost,localhost',
    'http://localhost',
    '::1',
    '[::1',
    'l\xf6calhost',
  ])('D12 is refused as malformed when it is "%s"', async (host) => {
    const server = await openServer(SHOP)
    await expectBytesRejected(server, create('/pets', `Host: ${host}`), 400, 'BAD_REQUEST')
  })

  it.each([
    ['D10 must be there once: the same host twice', ['Host: localhost', 'Host: localhost']],
    ['D10 must be there once: a stranger second', ['Host: localhost', 'Host: evil.example']],
    ['D10 must be there once: a stranger first', ['host: evil.example', 'HOST: localhost']],
    ['D11 must be there once: no host', []],
  ])('%s is refused', async (_, hostLines) => {
    const server = await openServer(SHOP)
    await expectBytesRejected(server, create('/pets', ...hostLines), 400, 'BAD_REQUEST', 'Host')
  })

  it('may be a name that was allowed, in any case and with any port, and no name below it', async () => {
    const server = await openServer({ ...SHOP, allowHost: ['Petstore.test'] })
    for (const host of ['petstore.test', 'PETSTORE.test:80']) {
      const [answer] = await exchange(server.port, get('/pets', `Host: ${host}`))
      expect(answer?.status).toBe(200)
    }
    await expectBytesRejected(server, create('/pets', 'Host: a.petstore.test'), 421, 'MISDIRECTED_REQUEST')
  })

  it('is looked at before anything else of the request', async () => {
    const server = await openServer(SHOP)
    const stranger = 'Host: evil.example'
    for (const request of [
      get('/nope', stranger),
      get('/pets/%zz', stranger),
      toHttpText(['DELETE /pets HTTP/1.1', CLOSE, stranger]),
      get('/__admin/health', stranger, 'Origin: https://evil.example'),
      toHttpText(['OPTIONS * HTTP/1.1', CLOSE, stranger]),
    ]) {
      await expectBytesRejected(server, request, 421, 'MISDIRECTED_REQUEST')
    }
  })

  it('is looked at before an expectation is', async () => {
    const server = await openServer(SHOP)
    const request = get('/pets', 'Host: evil.example', 'Expect: banana')
    await expectBytesRejected(server, request, 421, 'MISDIRECTED_REQUEST')
  })

  it('is refused without a body for HEAD, and the connection can be used on', async () => {
    const { port } = await openServer(SHOP)
    const wire = await openConnection(port)
    wire.send(toHttpText(['HEAD /pets HTTP/1.1', 'Host: evil.example']))
    expect(await wire.response('head')).toMatchObject({ status: 421, text: '' })
    wire.send(get('/pets/1', 'Host: localhost'))
    expect(await wire.rest()).toMatchObject([{ status: 200, body: { id: 1 } }])
  })
})

describe('an absolute-form target', () => {
  it.each(['http://localhost:PORT', 'http://127.0.0.1:PORT', 'HTTP://LOCALHOST:PORT', 'http://[::1]:PORT'])(
    'A12 that names the server as %s is answered like its path alone',
    async (base) => {
      const server = await openServer(SHOP)
      const authority = `127.0.0.1:${server.port}`
      const absolute = `${base.replace('PORT', String(server.port))}/pets?limit=1`
      const [plain] = await exchange(server.port, get('/pets?limit=1', `Host: ${authority}`))
      const [answer] = await exchange(server.port, get(absolute, `Host: ${authority}`))
      expect(answer).toMatchObject({ status: 200, text: plain?.text })
      expect(answer?.headers.get('link')).toBe(plain?.headers.get('link'))
    },
  )

  it.each([
    ['http://evil.example/pets', 421, 'MISDIRECTED_REQUEST'],
    ['https://evil.example:443/pets', 421, 'MISDIRECTED_REQUEST'],
    ['http://localhost.evil.example/pets', 421, 'MISDIRECTED_REQUEST'],
    ['http://user@localhost/pets', 400, 'BAD_REQUEST'],
    ['http://localhost@evil.example/pets', 400, 'BAD_REQUEST'],
    ['http:///pets', 400, 'BAD_REQUEST'],
  ])('A23 %s is refused, whatever Host says', async (target, status, code) => {
    const server = await openServer(SHOP)
    await expectBytesRejected(server, create(target, 'Host: localhost'), status, code)
  })

  it.each([
    ['two Host lines', ['Host: localhost', 'Host: localhost'], 400, 'BAD_REQUEST'],
    ['no Host', [], 400, 'BAD_REQUEST'],
    ['the Host of a stranger', ['Host: evil.example'], 421, 'MISDIRECTED_REQUEST'],
  ])('does not excuse %s', async (_, hostLines, status, code) => {
    const server = await openServer(SHOP)
    await expectBytesRejected(server, create(`http://localhost:${server.port}/pets`, ...hostLines), status, code)
  })
})

describe('the control plane', () => {
  const SPELLINGS = ['/__admin/health', '/%5f%5fadmin/health', '/%5F_%61dmin/%68ealth', '/__admin/nope', '/__admin']

  it.each(SPELLINGS)('I1 refuses the page of a stranger at %s', async (path) => {
    const server = await openServer(SHOP)
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'http://evil-localhost']) {
      const answer = await expectBytesRejected(
        server,
        get(path, 'Host: localhost', `Origin: ${origin}`),
        403,
        'FORBIDDEN_ORIGIN',
        origin,
      )
      expect(accessControlOf(answer.headers)).toStrictEqual([])
    }
  })

  it.each([
    ['another port', 'http://127.0.0.1:1'],
    ['no port', 'http://127.0.0.1'],
    ['another loopback name', 'http://localhost:PORT'],
    ['another scheme', 'https://127.0.0.1:PORT'],
    ['a path behind it', 'http://127.0.0.1:PORT/'],
    ['nothing', ''],
    ['itself and a stranger', 'http://127.0.0.1:PORT, https://evil.example'],
    ['one that may read the API', 'https://app.example'],
  ])('takes %s for a stranger', async (_, origin) => {
    const server = await openServer({ ...SHOP, cors: ['https://app.example'] })
    const headers = [`Host: 127.0.0.1:${server.port}`, `Origin: ${origin.replace('PORT', String(server.port))}`]
    const answer = await expectBytesRejected(server, get('/__admin/health', ...headers), 403, 'FORBIDDEN_ORIGIN')
    expect(accessControlOf(answer.headers)).toStrictEqual([])
  })

  it.each(['/__admin/health', '/%5f%5fadmin/health'])(
    'answers its own pages and no page at all at %s',
    async (path) => {
      const server = await openServer({ ...SHOP, allowHost: ['petstore.test'] })
      for (const host of [`127.0.0.1:${server.port}`, `localhost:${server.port}`, `petstore.test:${server.port}`]) {
        const [own] = await exchange(server.port, get(path, `Host: ${host}`, `Origin: http://${host}`))
        expect(own).toMatchObject({ status: 200, body: { status: 'ok' } })
        expect(accessControlOf(own?.headers ?? new Headers())).toStrictEqual([])
        const [none] = await exchange(server.port, get(path, `Host: ${host}`))
        expect(none).toMatchObject({ status: 200, body: { status: 'ok' } })
      }
    },
  )

  it.each(['https://evil.example', 'http://localhost:5173', 'https://app.example'])(
    'I3 refuses the preflight of a page of %s',
    async (origin) => {
      const server = await openServer({ ...SHOP, cors: ['https://app.example'] })
      const headers = { origin, 'access-control-request-method': 'GET' }
      const answer = await readResponse(await server.fetch('/__admin/health', { method: 'OPTIONS', headers }))
      expectError(answer, 403, 'FORBIDDEN_ORIGIN', origin)
      expect(accessControlOf(answer.headers)).toStrictEqual([])
    },
  )

  it('I2 asks for the Host before it asks for the origin', async () => {
    const server = await openServer(SHOP)
    const request = get('/__admin/health', 'Host: evil.example', 'Origin: http://evil.example')
    await expectBytesRejected(server, request, 421, 'MISDIRECTED_REQUEST')
  })
})

describe('a token that was given', () => {
  const TOKEN = 'kept-secret'

  it.each([
    ['nothing', undefined],
    ['another token', 'Bearer other'],
    ['the start of it', 'Bearer kept'],
    ['more than it', 'Bearer kept-secret2'],
    ['the token alone', TOKEN],
    ['the scheme alone', 'Bearer'],
    ['another scheme', `Basic ${TOKEN}`],
    ['more than a token', `Bearer ${TOKEN} x`],
  ])('is asked for on loopback too: %s is refused', async (_, authorization) => {
    const server = await openServer({ ...SHOP, adminToken: TOKEN })
    for (const path of ['/__admin/health', '/%5f%5fadmin/health', '/__admin/nope']) {
      const answer = await readResponse(await server.fetch(path, authorization ? { headers: { authorization } } : {}))
      expectError(answer, 401, 'UNAUTHORIZED', 'Authorization')
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/)
      expect(answer.text).not.toContain(TOKEN)
    }
  })

  it('opens the control plane, and the API does not ask for it', async () => {
    const server = await openServer({ ...SHOP, adminToken: TOKEN })
    expect(server.adminToken).toBe(TOKEN)
    const headers = { authorization: `Bearer ${TOKEN}` }
    expect((await server.fetch('/__admin/health', { headers })).status).toBe(200)
    for (const path of ['/pets/1', '/openapi.yaml', '/openapi.json'])
      expect((await server.fetch(path)).status).toBe(200)
  })

  it('does not open the control plane to the page of a stranger', async () => {
    const server = await openServer({ ...SHOP, adminToken: TOKEN })
    const headers = { authorization: `Bearer ${TOKEN}`, origin: 'https://evil.example' }
    expectError(await readResponse(await server.fetch('/__admin/health', { headers })), 403, 'FORBIDDEN_ORIGIN')
  })
})

describe('a server bound beyond loopback', () => {
  it('makes a token of its own, which its control plane asks for', async () => {
    const server = await openServer({ ...SHOP, host: '0.0.0.0' })
    expect(server.adminToken).toMatch(/^[\w-]{20,}$/)
    expectError(await readResponse(await server.fetch('/__admin/health')), 401, 'UNAUTHORIZED')
    const headers = { authorization: `Bearer ${server.adminToken}` }
    expect((await server.fetch('/__admin/health', { headers })).status).toBe(200)
    expect((await server.fetch('/pets/1')).status).toBe(200)
  })

  it('makes another token every time, and takes one that is given', async () => {
    const [one, two] = [await openServer({ ...SHOP, host: '0.0.0.0' }), await openServer({ ...SHOP, host: '0.0.0.0' })]
    expect(one.adminToken).not.toBe(two.adminToken)
    expect((await openServer({ ...SHOP, host: '0.0.0.0', adminToken: 'mine' })).adminToken).toBe('mine')
  })

  it('still answers for no strange host', async () => {
    const server = await openServer({ ...SHOP, host: '0.0.0.0' })
    await expectBytesRejected(server, create('/pets', 'Host: evil.example'), 421, 'MISDIRECTED_REQUEST')
  })

  it('names an address it can be reached at, and answers for 0.0.0.0 only where that is allowed', async () => {
    const server = await openServer({ ...SHOP, host: '0.0.0.0' })
    expect(server).toMatchObject({ host: '0.0.0.0', url: `http://127.0.0.1:${server.port}` })
    expect((await fetch(`${server.url}/pets/1`)).status).toBe(200)
    await expectBytesRejected(server, create('/pets', 'Host: 0.0.0.0'), 421, 'MISDIRECTED_REQUEST')
    const mock = await openServer({ ...SHOP, host: '0.0.0.0', allowHost: ['0.0.0.0'] })
    expect(await exchange(mock.port, get('/pets/1', 'Host: 0.0.0.0'))).toMatchObject([{ status: 200 }])
  })
})
