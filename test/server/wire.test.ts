import { describe, expect, it } from 'vitest'
import type { RequestRecord, ServerOptions } from '../../src/adapters/server/index.js'
import type { RunningMock } from '../support/adapters.js'
import { expectError, exportState, probeNextIds, shop } from '../support/client.js'
import {
  closeInTime,
  exchange,
  expectBytesRejected,
  expectServerResponds,
  openConnection,
  openServer,
  toHttpText,
} from '../support/raw-connection.js'

const SHOP: ServerOptions = { fixtures: shop([{ id: 1, name: 'Rex' }]) }
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

/** The store without its server, to look at what is left in it once every connection is gone. */
const behind = ({ petstore }: RunningMock): RunningMock => ({
  petstore,
  fetch: (path, init) => petstore.fetch(path, init),
  close: async () => {},
})

describe('an unusual request that is legal', () => {
  it('A13 is OPTIONS for the whole server', async () => {
    const { port } = await openServer(SHOP)
    const [answer] = await exchange(port, toHttpText(['OPTIONS * HTTP/1.1', HOST, CLOSE]))
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect(answer?.headers.get('allow')?.split(', ')).toStrictEqual(expect.arrayContaining(['GET', 'OPTIONS']))
  })

  it('D27 asks for a part, or for what has changed since, of what has no parts and no age', async () => {
    const { port } = await openServer(SHOP)
    const [plain] = await exchange(port, get('/pets', CLOSE))
    const conditions = ['Range: bytes=0-1', 'If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT', 'If-None-Match: *']
    const [answer] = await exchange(port, get('/pets', CLOSE, ...conditions))
    expect(answer).toMatchObject({ status: 200, text: plain?.text })
    expect(answer?.headers.has('content-range')).toBe(false)
  })

  it.each(['websocket', 'h2c'])('D22 wants to change to %s, which is ignored', async (protocol) => {
    const { port } = await openServer(SHOP)
    const wire = await openConnection(port)
    wire.send(get('/pets/1', 'Connection: Upgrade', `Upgrade: ${protocol}`, 'Sec-WebSocket-Version: 13'))
    expect(await wire.response()).toMatchObject({ status: 200, body: { id: 1 } })
    wire.send(get('/pets/1', CLOSE))
    expect(await wire.rest()).toMatchObject([{ status: 200, body: { id: 1 } }])
  })

  it('is HTTP/1.0, and the connection ends with its answer', async () => {
    const { port } = await openServer(SHOP)
    expect(await exchange(port, toHttpText(['GET /pets/1 HTTP/1.0', HOST]))).toMatchObject([
      { status: 200, body: { id: 1 } },
    ])
    const posted = await exchange(port, toHttpText(['POST /pets HTTP/1.0', HOST, JSON_TYPE, LENGTH], PET))
    expect(posted).toMatchObject([{ status: 201, body: { id: 2, name: 'Bo' } }])
  })

  it('is HTTP/1.0 that asks to keep the connection', async () => {
    const { port } = await openServer(SHOP)
    const wire = await openConnection(port)
    wire.send(toHttpText(['GET /pets/1 HTTP/1.0', HOST, 'Connection: keep-alive']))
    expect((await wire.response()).headers.get('connection')).toBe('keep-alive')
    wire.send(toHttpText(['GET /pets/1 HTTP/1.0', HOST]))
    expect(await wire.rest()).toMatchObject([{ status: 200 }])
  })

  it('comes byte by byte', async () => {
    const { port } = await openServer(SHOP)
    const wire = await openConnection(port)
    for (const byte of create([LENGTH, CLOSE], PET)) wire.send(byte)
    expect(await wire.rest()).toMatchObject([{ status: 201, body: { id: 2 } }])
  })

  it('comes in chunks, with extensions and trailers', async () => {
    const { port } = await openServer(SHOP)
    const half = (text: string): string => `${text.length.toString(16).toUpperCase()};half=yes\r\n${text}\r\n`
    const body = `${half(PET.slice(0, 12))}${half(PET.slice(12))}0\r\nX-Trailer: 1\r\n\r\n`
    expect(await exchange(port, create([CHUNKED, CLOSE], body))).toMatchObject([{ status: 201, body: { name: 'Bo' } }])
  })

  it('E29 reads with a body, and the next one on the connection is answered after it', async () => {
    const { port } = await openServer(SHOP)
    const wire = await openConnection(port)
    wire.send(toHttpText(['GET /pets/1 HTTP/1.1', HOST, JSON_TYPE, LENGTH], PET))
    wire.send(
      toHttpText(['DELETE /pets/99 HTTP/1.1', HOST, CHUNKED], `${PET.length.toString(16)}\r\n${PET}\r\n0\r\n\r\n`),
    )
    wire.send(get('/categories/2', CLOSE))
    const answers = await wire.rest()
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 404, 200])
    expect(answers[2]?.body).toStrictEqual({ id: 2, name: 'Cats' })
  })
})

describe('a body that is asked about first', () => {
  it('D8 is asked for, and then taken', async () => {
    const { port } = await openServer(SHOP)
    const wire = await openConnection(port)
    wire.send(create([LENGTH, CLOSE, 'Expect: 100-continue'], ''))
    expect(await wire.response()).toMatchObject({ status: 100 })
    wire.send(PET)
    expect(await wire.rest()).toMatchObject([{ status: 201, body: { id: 2 } }])
  })

  it('D23 is refused without being asked for when its length is over the limit', async () => {
    const server = await openServer(SHOP)
    const bytes = create([`Content-Length: ${MEGABYTE + 1}`, 'Expect: 100-continue'], '')
    await expectBytesRejected(server, bytes, 413, 'BODY_TOO_LARGE', String(MEGABYTE))
  })
})

describe('a body over the limit', () => {
  const TOO_LARGE = JSON.stringify({ name: 'x'.repeat(10 * MEGABYTE), categoryId: 1 })

  it.each([
    ['its length', create([`Content-Length: ${TOO_LARGE.length}`, CLOSE], TOO_LARGE)],
    ['chunks', create([CHUNKED, CLOSE], `${TOO_LARGE.length.toString(16)}\r\n${TOO_LARGE}\r\n0\r\n\r\n`)],
  ])('E10 of 10 MB sent with %s gets an answer that can be read', async (_, bytes) => {
    await expectBytesRejected(await openServer(SHOP), bytes, 413, 'BODY_TOO_LARGE', String(MEGABYTE))
  })

  it('leaves the connection fit for the next request', async () => {
    const { port } = await openServer({ ...SHOP, maxBodyBytes: 100 })
    const wire = await openConnection(port)
    const body = JSON.stringify({ name: 'x'.repeat(100), categoryId: 1 })
    wire.send(create([`Content-Length: ${body.length}`], body))
    expectError(await wire.response(), 413, 'BODY_TOO_LARGE', '100')
    wire.send(create([LENGTH, CLOSE], PET))
    expect(await wire.rest()).toMatchObject([{ status: 201, body: { id: 2, name: 'Bo' } }])
  })

  it('E11 is not over it by a single byte less', async () => {
    const { port } = await openServer({ ...SHOP, maxBodyBytes: PET.length })
    expect(await exchange(port, create([LENGTH, CLOSE], PET))).toMatchObject([{ status: 201 }])
    const longer = create([`Content-Length: ${PET.length + 1}`, CLOSE], `${PET} `)
    expect(await exchange(port, longer)).toMatchObject([{ status: 413 }])
  })
})

describe('requests sent without waiting', () => {
  it('are answered in their order', async () => {
    const { port } = await openServer(SHOP)
    const rounds = Array.from({ length: 20 }, (_, index) => `Pet number ${index}`)
    const requests = rounds.flatMap((name) => {
      const body = JSON.stringify({ name, categoryId: 1 })
      return [create([`Content-Length: ${body.length}`], body), get('/pets/1'), get('/nope')]
    })
    const answers = await exchange(port, requests.join('') + get('/categories/2', CLOSE))
    const expected = rounds.flatMap((name, index) => [
      { status: 201, body: { id: index + 2, name } },
      { status: 200, body: { id: 1 } },
      { status: 404, body: { code: 'ROUTE_NOT_FOUND' } },
    ])
    expect(answers).toMatchObject([...expected, { status: 200, body: { id: 2, name: 'Cats' } }])
  })

  it('are run in their order, so that each sees what the one before it did', async () => {
    const { port } = await openServer(SHOP)
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

  it('are not run behind one that ends the connection', async () => {
    const { port, petstore } = await openServer(SHOP)
    const answers = await exchange(port, get('/pets/1', CLOSE) + create([LENGTH], PET))
    expect(answers.map(({ status }) => status)).toStrictEqual([200])
    expect((await petstore.fetch('/pets')).headers.get('x-total-count')).toBe('1')
  })
})

describe('a client that goes away', () => {
  it.each([
    ['H1 within the request line', 'POST /pe'],
    ['H1 within the headers', 'POST /pets HTTP/1.1\r\nHost: local'],
    ['H1 before the body', create([LENGTH], '')],
    ['E12 within the body', create(['Content-Length: 100'], PET)],
    ['E12 within a chunk', create([CHUNKED], `64\r\n${PET}`)],
    ['E12 before the last chunk', create([CHUNKED], `${PET.length.toString(16)}\r\n${PET}\r\n`)],
  ])('%s changes nothing and leaves no connection', async (_, bytes) => {
    const server = await openServer(SHOP)
    const store = behind(server)
    const before = [await exportState(store), await probeNextIds(store)]
    for (const leave of ['end', 'destroy'] as const) {
      const wire = await openConnection(server.port)
      wire.send(bytes)
      wire[leave]()
      for (const answer of await wire.rest()) expectError(answer, 400, 'BAD_REQUEST')
      wire.destroy()
      await expectServerResponds(server)
    }
    await closeInTime(server)
    expect([await exportState(store), await probeNextIds(store)]).toStrictEqual(before)
  })

  it('H2 before it reads the answer of a create has created one', async () => {
    let tell = (_: RequestRecord): void => {}
    const answered = new Promise<RequestRecord>((resolve) => {
      tell = resolve
    })
    const server = await openServer({ ...SHOP, onRequest: (record) => tell(record) })
    const wire = await openConnection(server.port)
    wire.send(create([LENGTH], PET))
    expect(await answered).toMatchObject({ operation: 'createPet', status: 201 })
    wire.destroy()
    await expectServerResponds(server)
    await closeInTime(server)
    expect((await server.petstore.fetch('/pets')).headers.get('x-total-count')).toBe('2')
  })
})
