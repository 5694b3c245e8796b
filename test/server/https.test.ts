import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type PetstoreServer, type ServerOptions, startServer } from '../../src/adapters/server/index.js'
import { createTlsFetch, useTemporaryCache } from '../support/adapter-tls.js'
import { makeClientCertificate, makeFolder, writeIn } from '../support/certificates.js'
import { shop } from '../support/client.js'
import { openSession, readStream, request } from '../support/http2-client.js'
import { END_HEADERS, END_STREAM, frame, literal, openFrames, pseudoHeaders, TYPES } from '../support/http2-frames.js'
import { exchange, openConnection, openServer, toHttpText } from '../support/raw-connection.js'

const SHOP = { fixtures: shop([{ id: 1, name: 'Rex' }]) }
const CANCEL = 8
const INTERNAL_ERROR = 2

beforeAll(useTemporaryCache)

const openHttps = (options: ServerOptions = {}) => openServer({ ...SHOP, https: true, ...options })

/** Sends requests over HTTPS/1.1 or HTTP/2. */
function openClient({ url, certificate }: PetstoreServer, allowH2: boolean) {
  const { fetch, close } = createTlsFetch(certificate, allowH2)
  onTestFinished(() => close())
  return (path: string, init?: RequestInit) => fetch(url + path, init)
}

/** The headers that depend on neither the connection nor the time. */
function lasting(headers: Headers): Record<string, string> {
  const { connection, 'keep-alive': _, date, 'transfer-encoding': __, ...rest } = Object.fromEntries(headers)
  return rest
}

describe('one port', () => {
  it('returns the same response over HTTP, HTTPS/1.1 and HTTP/2', async () => {
    const server = await openHttps()
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`)
    const clients = [server.fetch, openClient(server, false), openClient(server, true)]
    for (const [path, init] of [
      ['/pets?limit=1', {}],
      ['/pets/1', { method: 'HEAD' }],
      ['/pets/99', {}],
      ['/pets', { method: 'OPTIONS' }],
      ['/pets', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }],
      ['/__admin/scenarios', {}],
    ] as const) {
      const responses = await Promise.all(clients.map((send) => send(path, init)))
      const [plain, ...others] = await Promise.all(
        responses.map(async (each) => ({
          status: each.status,
          headers: lasting(each.headers),
          text: await each.text(),
        })),
      )
      for (const other of others) expect(other).toEqual(plain)
      expect(responses.map(({ headers }) => headers.get('strict-transport-security'))).toEqual([null, null, null])
    }
  })

  it('negotiates HTTP/2, HTTP/1.1, or HTTP/1.1 without ALPN', async () => {
    const { port, certificate } = await openHttps()
    const negotiate = async (ALPNProtocols?: string[]) => {
      const socket = connectTls({ port, host: 'localhost', ca: certificate, ...(ALPNProtocols && { ALPNProtocols }) })
      await once(socket, 'secureConnect')
      socket.destroy()
      return socket.alpnProtocol
    }
    expect(await negotiate(['h2', 'http/1.1'])).toBe('h2')
    expect(await negotiate(['http/1.1'])).toBe('http/1.1')
    expect(await negotiate()).toBe(false)
  })

  it('names the protocol in the journal and the HAR', async () => {
    const server = await openHttps()
    for (const send of [server.fetch, openClient(server, false), openClient(server, true)]) await send('/pets/1')
    const entries = server.petstore.journal.entries()
    expect(entries.map(({ protocol }) => protocol)).toEqual([undefined, 'HTTPS/1.1', 'HTTP/2'])
    expect(Object.keys(entries[2]?.request.headers ?? {}).filter((name) => name.startsWith(':'))).toEqual([])
    const har = server.petstore.journal.toHar().log.entries
    expect(har.map((each) => [each.request.httpVersion, new URL(each.request.url).protocol])).toEqual([
      ['HTTP/1.1', 'http:'],
      ['HTTP/1.1', 'https:'],
      ['HTTP/2', 'https:'],
    ])
  })

  it('returns 400 and closes if the first byte is neither TLS nor HTTP', async () => {
    const { port } = await openHttps()
    for (const first of ['\x00', '\x15', '\x80', '\xff', 'g', '{']) {
      const [response, ...others] = await exchange(port, Buffer.from(`${first}\r\n\r\n`, 'latin1'))
      expect([response?.status, others]).toEqual([400, []])
    }
  })

  it.each([
    ['nothing', ''],
    ['one byte of TLS', '\x16'],
    ['half a TLS record', '\x16\x03\x01\x02\x00\x01'],
  ])('closes a connection that sends %s', async (_, bytes) => {
    const { port } = await openHttps({ headersTimeoutMs: 50, requestTimeoutMs: 50 })
    const connection = await openConnection(port)
    connection.send(Buffer.from(bytes, 'latin1'))
    expect(await connection.rest()).toEqual([])
  })
})

describe('a request over HTTP/2', () => {
  it('must have an allowed :authority, equal to Host if there is one', async () => {
    const session = openSession(await openHttps())
    const statusFor = async (headers: object) => (await request(session, '/pets', { ...headers })).status
    expect(await statusFor({ ':authority': 'evil.example' })).toBe(421)
    expect(await statusFor({ ':authority': 'localhost', host: 'evil.example' })).toBe(400)
    expect(await statusFor({ ':authority': 'localhost', host: 'LOCALHOST' })).toBe(200)
    expect(await statusFor({ ':authority': 'localhost:a' })).toBe(400)
  })

  it('may use the admin API from a page of the same https origin, not from the http one', async () => {
    const server = await openHttps()
    const session = openSession(server)
    const statusFor = async (origin: string) => (await request(session, '/__admin/health', { origin })).status
    expect(await statusFor(`https://localhost:${server.port}`)).toBe(200)
    expect(await statusFor(`http://localhost:${server.port}`)).toBe(403)
    expect(
      (await server.fetch('/__admin/health', { headers: { Origin: `https://127.0.0.1:${server.port}` } })).status,
    ).toBe(403)
  })

  it('gets no header that HTTP/2 forbids, though an override sets it', async () => {
    const server = await openHttps()
    server.petstore.override('getPet', { status: 404, headers: { Upgrade: 'h2c', 'X-Other': 'kept' } }, {
      unchecked: true,
    } as never)
    const { headers } = await request(openSession(server), '/pets/1')
    expect(headers['x-other']).toBe('kept')
    for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'upgrade'])
      expect(headers).not.toHaveProperty(name)
  })

  it('gets the date that an override sets, or else the current one', async () => {
    const server = await openHttps()
    const send = openClient(server, true)
    const current = (await send('/pets/1')).headers.get('date') ?? ''
    expect(Math.abs(Date.parse(current) - Date.now())).toBeLessThan(60_000)

    const date = 'Thu, 01 Jan 2015 00:00:00 GMT'
    server.petstore.override('getPet', { status: 404, headers: { Date: date } }, { unchecked: true } as never)
    expect((await send('/pets/1')).headers.get('date')).toBe(date)
  })

  it('is rejected with 431 if it has too many or too large headers', async () => {
    const session = openSession(await openHttps({ maxHeaders: 10, maxHeaderBytes: 1000 }))
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`x-${index}`, 'a']))
    expect(await request(session, '/pets', many)).toMatchObject({ status: 431 })
    expect(await request(session, '/pets', { 'x-a': 'a'.repeat(1000) })).toMatchObject({ status: 431 })
    expect(await request(session, '/pets')).toMatchObject({ status: 200 })
  })

  it('gets 100 Continue before it sends its body, and 408 if the body does not come', async () => {
    const session = openSession(await openHttps({ requestTimeoutMs: 100 }))
    const head = { ':path': '/pets', ':method': 'POST', 'content-type': 'application/json' }
    const stream = session.request({ ...head, expect: '100-continue' })
    const result = readStream(stream)
    await once(stream, 'continue')
    stream.end(JSON.stringify({ name: 'Bo', categoryId: 1 }))
    expect((await result).status).toBe(201)
    expect((await readStream(session.request(head))).status).toBe(408)
    expect((await request(session, '/pets/1')).status).toBe(200)
  })

  it('is not handled if its client resets it before the body is complete', async () => {
    const server = await openHttps()
    const { socket, send } = await openFrames(server)
    const head = Buffer.concat([pseudoHeaders('POST', '/pets'), literal('content-type', 'application/json')])
    send(frame(TYPES.HEADERS, END_HEADERS, 1, head))
    send(frame(TYPES.DATA, 0, 1, Buffer.from(JSON.stringify({ name: 'Bo', categoryId: 1 }))))
    send(frame(TYPES.RST_STREAM, 0, 1, Buffer.from([0, 0, 0, CANCEL])))
    send(frame(TYPES.HEADERS, END_HEADERS | END_STREAM, 3, pseudoHeaders('GET', '/pets/1')))
    await server.petstore.journal.waitFor('getPet')
    socket.destroy()
    await server.close()
    expect(server.petstore.journal.entries().map(({ operation }) => operation)).toEqual(['getPet'])
  })

  it('is rejected with 405 if it is CONNECT', async () => {
    const session = openSession(await openHttps())
    const stream = session.request({ ':method': 'CONNECT', ':authority': 'evil.example:443' })
    expect(await readStream(stream)).toMatchObject({ status: 405, headers: { allow: 'OPTIONS' } })
  })
})

describe('a fault over HTTP/2', () => {
  it.each([
    ['reset', { status: 0, text: '' }],
    ['truncate', { status: 200 }],
  ] as const)('%s ends one stream and no other', async (kind, expected) => {
    const server = await openHttps()
    const session = openSession(server)
    server.petstore.faults.add({ operation: 'listPets', kind: 'slow', delayMs: 100 })
    const slow = request(session, '/pets')
    server.petstore.faults.add({ operation: 'getPet', kind } as never)
    expect(await request(session, '/pets/1')).toMatchObject({ ...expected, rstCode: INTERNAL_ERROR })
    server.petstore.faults.clear()
    expect(await request(session, '/pets/1')).toMatchObject({ status: 200, rstCode: 0 })
    expect(await slow).toMatchObject({ status: 200, rstCode: 0 })
  })

  it('timeout holds one stream until the client aborts it, which the journal shows', async () => {
    const server = await openHttps()
    const session = openSession(server)
    server.petstore.faults.add({ operation: 'getPet', kind: 'timeout' })
    const held = session.request({ ':path': '/pets/1' })
    const result = readStream(held)
    await server.petstore.journal.waitFor('getPet')
    expect((await request(session, '/pets')).status).toBe(200)
    held.close(CANCEL)
    expect(await result).toMatchObject({ status: 0 })
    expect(server.petstore.journal.entries({ operation: 'getPet' })).toMatchObject([{ status: 0 }])
  })
})

describe('a slow response over HTTP/2', () => {
  const BODY_LENGTH = 1_000_000

  async function openSlow(delayMs: number, options: ServerOptions = {}) {
    const server = await openHttps(options)
    const body = { text: 'a'.repeat(BODY_LENGTH) }
    server.petstore.override('getPet', { status: 200, body }, { unchecked: true } as never)
    server.petstore.faults.add({ operation: 'getPet', kind: 'slow', delayMs })
    return server
  }

  it('waits for the window of its client, while other streams go on', async () => {
    const session = openSession(await openSlow(50))
    const unread = session.request({ ':path': '/pets/1' })
    await once(unread, 'response')
    for (let index = 0; index < 5; index++) expect((await request(session, '/pets')).status).toBe(200)
    expect(unread.readableLength).toBeLessThan(BODY_LENGTH / 2)
    expect((await readStream(unread)).text).toHaveLength(BODY_LENGTH + JSON.stringify({ text: '' }).length)
  })

  it('is broken off if its client does not read, before the rest of it is written', async () => {
    const session = openSession(await openSlow(120_000, { idleTimeoutMs: 100 }))
    const unread = session.request({ ':path': '/pets/1' })
    unread.on('error', () => {})
    expect((await request(session, '/pets')).status).toBe(200)
    await vi.waitUntil(() => unread.closed, { timeout: 30_000 })
    expect(unread.rstCode).toBe(INTERNAL_ERROR)
  })
})

describe('close', () => {
  it('sends GOAWAY, lets requests in flight finish, and ends idle connections', async () => {
    const server = await startServer({ port: 0, ...SHOP, https: true })
    const [busy, idle] = [openSession(server), openSession(server)]
    await request(idle, '/pets')
    server.petstore.faults.add({ operation: 'getPet', kind: 'delay', delayMs: 200 })
    const goaway = Promise.all([busy, idle].map((session) => once(session, 'goaway')))
    const inFlight = request(busy, '/pets/1')
    await vi.waitUntil(() => server.petstore.faults.list().some(({ applied }) => applied > 0), { timeout: 30_000 })
    const closed = server.close()
    expect((await inFlight).status).toBe(200)
    await Promise.all([closed, goaway])
    await vi.waitUntil(() => busy.destroyed && idle.destroyed, { timeout: 30_000 })
  })

  it('closes an HTTP/2 connection that is idle', async () => {
    const session = openSession(await openHttps({ idleTimeoutMs: 50 }))
    await request(session, '/pets')
    await once(session, 'close')
  })
})

describe('a client certificate', () => {
  it('is required if httpsClientCa is given, and plain HTTP is refused', async () => {
    const { ca, cert, key } = await makeClientCertificate()
    const server = await openHttps({ httpsClientCa: writeIn(makeFolder(), 'ca.pem', ca) })
    const get = async (options: object) => {
      const socket = connectTls({ port: server.port, host: 'localhost', ca: server.certificate, ...options })
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('error', () => {})
      socket.write(toHttpText(['GET /pets/1 HTTP/1.1', 'Host: localhost', 'Connection: close']))
      await new Promise((resolve) => socket.on('close', resolve))
      return text.slice(0, 15)
    }
    expect(await get({ cert, key })).toBe('HTTP/1.1 200 OK')
    expect(await get({})).toBe('')
    expect((await server.fetch('/pets/1')).status).toBe(421)
  })
})
