import { describe, expect, it } from 'vitest'
import type { RequestRecord, ServerOptions } from '../../src/adapters/server/index.js'
import type { RunningMock } from '../support/adapters.js'
import { expectError, exportState, probeNextIds, shop } from '../support/client.js'
import {
  closeIdleServer,
  exchange,
  expectBytesRejected,
  expectServerResponds,
  openConnection,
  openServer,
  toHttpText,
} from '../support/raw-connection.js'
import { shareServer } from './share-server.js'

const SHOP: ServerOptions = { fixtures: shop([{ id: 1, name: 'Rex' }]) }
const server = await shareServer(SHOP)
const { port } = server
const HOST = 'Host: localhost'
const CLOSE = 'Connection: close'
const JSON_TYPE = 'Content-Type: application/json'
const PET = JSON.stringify({ name: 'Bo', categoryId: 1 })
const LENGTH = `Content-Length: ${PET.length}`
const CHUNKED = 'Transfer-Encoding: chunked'
const MEGABYTE = 1_048_576

const get = (target: string, ...head: string[]): string => toHttpText([`GET ${target} HTTP/1.1`, HOST, ...head])
const create = (head: readonly string[], body: string): string =>
  toHttpText(['POST /pets HTTP/1.1', HOST, JSON_TYPE, ...head], body)

/** The mock without its server, to read its data after the server was closed. */
const withoutServer = ({ petstore }: RunningMock): RunningMock => ({
  petstore,
  fetch: (path, init) => petstore.fetch(path, init),
  close: async () => {},
})

describe('an unusual but valid request', () => {
  it('A13 may be OPTIONS *', async () => {
    const [response] = await exchange(port, toHttpText(['OPTIONS * HTTP/1.1', HOST, CLOSE]))
    expect(response).toMatchObject({ status: 204, text: '' })
    expect(response?.headers.get('allow')?.split(', ')).toStrictEqual(expect.arrayContaining(['GET', 'OPTIONS']))
  })

  it.each(['websocket', 'h2c'])('D22 may have the header Upgrade: %s, which is ignored', async (protocol) => {
    const upgrade = get('/pets/1', 'Connection: Upgrade', `Upgrade: ${protocol}`, 'Sec-WebSocket-Version: 13')
    const [response, ...rest] = await exchange(port, upgrade + get('/pets/1'))
    expect(response).toMatchObject({ status: 200, body: { id: 1 } })
    // Node's parser loses the second request, so the client must know that it gets no response.
    expect(response?.headers.get('connection')).toBe('close')
    expect(rest).toEqual([])
  })

  it('may be HTTP/1.0 with keep-alive', async () => {
    const connection = await openConnection(port)
    connection.send(toHttpText(['GET /pets/1 HTTP/1.0', HOST, 'Connection: keep-alive']))
    expect((await connection.response()).headers.get('connection')).toBe('keep-alive')
    connection.send(toHttpText(['GET /pets/1 HTTP/1.0', HOST]))
    expect(await connection.rest()).toMatchObject([{ status: 200 }])
  })

  it('may be chunked, with extensions and trailers', async () => {
    const half = (text: string): string => `${text.length.toString(16).toUpperCase()};half=yes\r\n${text}\r\n`
    const body = `${half(PET.slice(0, 12))}${half(PET.slice(12))}0\r\nX-Trailer: 1\r\n\r\n`
    expect(await exchange(port, create([CHUNKED, CLOSE], body))).toMatchObject([{ status: 201, body: { name: 'Bo' } }])
  })

  it('E29 may be GET or DELETE with a body, and the connection stays usable', async () => {
    const connection = await openConnection(port)
    connection.send(toHttpText(['GET /pets/1 HTTP/1.1', HOST, JSON_TYPE, LENGTH], PET))
    connection.send(
      toHttpText(['DELETE /pets/99 HTTP/1.1', HOST, CHUNKED], `${PET.length.toString(16)}\r\n${PET}\r\n0\r\n\r\n`),
    )
    connection.send(get('/categories/2', CLOSE))
    const responses = await connection.rest()
    expect(responses.map(({ status }) => status)).toStrictEqual([200, 404, 200])
    expect(responses[2]?.body).toStrictEqual({ id: 2, name: 'Cats' })
  })
})

describe('Expect: 100-continue', () => {
  it('D8 gets 100, then the response to the body', async () => {
    const connection = await openConnection(port)
    connection.send(create([LENGTH, CLOSE, 'Expect: 100-continue'], ''))
    expect(await connection.response()).toMatchObject({ status: 100 })
    connection.send(PET)
    expect(await connection.rest()).toMatchObject([{ status: 201, body: { id: 2 } }])
  })

  it('is ignored in HTTP/1.0, which has no interim responses', async () => {
    const head = ['POST /pets HTTP/1.0', HOST, JSON_TYPE, LENGTH, 'Expect: 100-continue']
    expect(await exchange(port, toHttpText(head, PET))).toMatchObject([{ status: 201, body: { id: 2 } }])
  })

  it('D23 gets 413 and no 100 if the length is over the limit', async () => {
    const bytes = create([`Content-Length: ${MEGABYTE + 1}`, 'Expect: 100-continue'], '')
    await expectBytesRejected(server, bytes, 413, 'BODY_TOO_LARGE', String(MEGABYTE))
  })
})

describe('a body over the limit', () => {
  const TOO_LARGE = JSON.stringify({ name: 'x'.repeat(10 * MEGABYTE), categoryId: 1 })

  it.each([
    ['its length', create([`Content-Length: ${TOO_LARGE.length}`, CLOSE], TOO_LARGE)],
    ['chunks', create([CHUNKED, CLOSE], `${TOO_LARGE.length.toString(16)}\r\n${TOO_LARGE}\r\n0\r\n\r\n`)],
  ])('E10 of 10 MB sent with %s gets a readable response', async (_, bytes) => {
    await expectBytesRejected(server, bytes, 413, 'BODY_TOO_LARGE', String(MEGABYTE))
  })

  it('leaves the connection usable', async () => {
    const { port } = await openServer({ ...SHOP, maxBodyBytes: 100 })
    const connection = await openConnection(port)
    const body = JSON.stringify({ name: 'x'.repeat(100), categoryId: 1 })
    connection.send(create([`Content-Length: ${body.length}`], body))
    expectError(await connection.response(), 413, 'BODY_TOO_LARGE', '100')
    connection.send(create([LENGTH, CLOSE], PET))
    expect(await connection.rest()).toMatchObject([{ status: 201, body: { id: 2, name: 'Bo' } }])
  })
})

describe('pipelined requests', () => {
  it('run in order, so that each sees the effects of those before it', async () => {
    const change = JSON.stringify({ name: 'Rex the Second', categoryId: 1 })
    const put = toHttpText(['PUT /pets/1 HTTP/1.1', HOST, JSON_TYPE, `Content-Length: ${change.length}`], change)
    const remove = toHttpText(['DELETE /pets/2 HTTP/1.1', HOST])
    const requests = [create([LENGTH], PET), get('/pets/2'), remove, get('/pets/2'), put, get('/pets/1', CLOSE)]
    expect(await exchange(port, requests.join(''))).toMatchObject([
      { status: 201, body: { id: 2, name: 'Bo' } },
      { status: 200, body: { id: 2, name: 'Bo' } },
      { status: 204 },
      { status: 404 },
      { status: 200, body: { id: 1, name: 'Rex the Second' } },
      { status: 200, body: { id: 1, name: 'Rex the Second' } },
    ])
  })

  it('do not run after Connection: close', async () => {
    const { port, petstore } = server
    const responses = await exchange(port, get('/pets/1', CLOSE) + create([LENGTH], PET))
    expect(responses.map(({ status }) => status)).toStrictEqual([200])
    expect((await petstore.fetch('/pets')).headers.get('x-total-count')).toBe('1')
  })
})

describe('a client that ends its side of the connection after its requests', () => {
  it.each([
    ['at once', {}],
    ['late', { delay: 50 }],
  ])('gets its responses when they are sent %s, and then the end of the connection', async (_, options) => {
    const server = await openServer({ ...SHOP, ...options })
    const connection = await openConnection(server.port)
    connection.send(create([LENGTH], PET) + get('/pets/2'))
    connection.end()
    expect(await connection.rest()).toMatchObject([
      { status: 201, body: { id: 2 } },
      { status: 200, body: { id: 2 } },
    ])
    await closeIdleServer(server)
  })

  it('is disconnected if its request to upgrade has an incomplete body', async () => {
    const connection = await openConnection(port)
    connection.send(get('/pets', CHUNKED, 'Connection: Upgrade', 'Upgrade: websocket'))
    connection.end()
    expect(await connection.rest()).toEqual([])
  })
})

describe('the bytes of a response', () => {
  it.each(['ASCII only', 'Zoë', '猫'])('have a head in Latin-1 and a body in UTF-8: %s', async (name) => {
    const body = { id: 1, name, categoryId: 1, status: 'available' } as const
    server.petstore.override('getPet', { status: 200, headers: { 'X-Name': 'Zoë' }, body })
    const response = await server.fetch('/pets/1')
    expect([response.headers.get('x-name'), await response.json()]).toMatchObject(['Zoë', { name }])
  })
})

describe('a client that disconnects', () => {
  it.each([
    ['H1 within the request line', 'POST /pe'],
    ['H1 within the headers', 'POST /pets HTTP/1.1\r\nHost: local'],
    ['H1 before the body', create([LENGTH], '')],
    ['E12 within the body', create(['Content-Length: 100'], PET)],
    ['E12 within a chunk', create([CHUNKED], `64\r\n${PET}`)],
    ['E12 before the last chunk', create([CHUNKED], `${PET.length.toString(16)}\r\n${PET}\r\n`)],
  ])('%s changes nothing and leaves no open connection', async (_, bytes) => {
    const server = await openServer(SHOP)
    const store = withoutServer(server)
    const before = [await exportState(store), await probeNextIds(store)]
    for (const leave of ['end', 'destroy'] as const) {
      const connection = await openConnection(server.port)
      connection.send(bytes)
      connection[leave]()
      for (const response of await connection.rest()) expectError(response, 400, 'BAD_REQUEST')
      connection.destroy()
      await expectServerResponds(server)
    }
    await closeIdleServer(server)
    expect([await exportState(store), await probeNextIds(store)]).toStrictEqual(before)
  })

  it('H2 before it reads the response has created the pet', async () => {
    let resolveRecord = (_: RequestRecord): void => {}
    const recorded = new Promise<RequestRecord>((resolve) => {
      resolveRecord = resolve
    })
    const server = await openServer({ ...SHOP, onRequest: (record) => resolveRecord(record) })
    const connection = await openConnection(server.port)
    connection.send(create([LENGTH], PET))
    expect(await recorded).toMatchObject({ operation: 'createPet', status: 201 })
    connection.destroy()
    await expectServerResponds(server)
    await closeIdleServer(server)
    expect((await server.petstore.fetch('/pets')).headers.get('x-total-count')).toBe('2')
  })
})
