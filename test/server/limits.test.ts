import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ServerOptions } from '../../src/adapters/server/index.js'
import { followEvents } from '../support/admin.js'
import { expectError, expectUnchanged, shop } from '../support/client.js'
import {
  closeIdleServer,
  exchange,
  expectBytesRejected,
  expectServerResponds,
  openConnection,
  openServer,
  type RawConnection,
  toHttpText,
} from '../support/raw-connection.js'

const SHOP: ServerOptions = { fixtures: shop([{ id: 1, name: 'Rex' }]) }
const HOST = 'Host: localhost'
const CLOSE = 'Connection: close'
const JSON_TYPE = 'Content-Type: application/json'
const PET = JSON.stringify({ name: 'Bo', categoryId: 1 })
const GET = toHttpText(['GET /pets/1 HTTP/1.1', HOST])
const CREATE = ['POST /pets HTTP/1.1', HOST, JSON_TYPE, `Content-Length: ${PET.length}`]

describe('maxHeaderBytes', () => {
  /** A request whose target, header names and header values have this many bytes in total. */
  function getOf(bytes: number, place: 'target' | 'header'): string {
    const fixed =
      '/pets?x='.length + 'Host'.length + 'localhost'.length + 'Connection'.length + 'close'.length + 'X'.length
    const filling = 'a'.repeat(bytes - fixed)
    const [inTarget, inHeader] = place === 'target' ? [filling, ''] : ['', filling]
    return toHttpText([`GET /pets?x=${inTarget} HTTP/1.1`, HOST, CLOSE, `X: ${inHeader}`])
  }

  it.each<[number | undefined, 'target' | 'header']>([
    [500, 'header'],
    [8000, 'target'],
    [undefined, 'header'],
  ])('%s accepts that many bytes with a long %s, and rejects one more', async (limit, place) => {
    const server = await openServer({ ...SHOP, ...(limit !== undefined && { maxHeaderBytes: limit }) })
    const bytes = limit ?? 16_384
    expect(await exchange(server.port, getOf(bytes, place))).toMatchObject([{ status: 200 }])
    await expectBytesRejected(server, getOf(bytes + 1, place), 431, 'HEADERS_TOO_LARGE')
  })
})

describe('maxHeaders', () => {
  const getWith = (count: number): string => {
    const others = Array.from({ length: count - 2 }, (_, index) => `X-${index}: ${index}`)
    return toHttpText(['GET /pets HTTP/1.1', HOST, CLOSE, ...others])
  }

  it.each([undefined, 5, 1000])('%s accepts that many headers, and rejects one more', async (maxHeaders) => {
    const server = await openServer({ ...SHOP, ...(maxHeaders !== undefined && { maxHeaders }) })
    const count = maxHeaders ?? 100
    expect(await exchange(server.port, getWith(count))).toMatchObject([{ status: 200 }])
    await expectBytesRejected(server, getWith(count + 1), 431, 'HEADERS_TOO_LARGE', String(count))
  })

  it('D15 counts repeated headers: rejects 2,000 short ones', async () => {
    const server = await openServer(SHOP)
    const request = (count: number) => toHttpText(['GET /pets HTTP/1.1', HOST, CLOSE, ...Array(count).fill('a:b')])
    expect(await exchange(server.port, request(98))).toMatchObject([{ status: 200 }])
    await expectBytesRejected(server, request(99), 431, 'HEADERS_TOO_LARGE', '101 headers')
    await expectBytesRejected(server, request(2000), 431, 'HEADERS_TOO_LARGE', '2002 headers')
  })
})

/** Expects one 408, and then the end of the connection. */
async function expectTimedOut(connection: RawConnection): Promise<void> {
  const responses = await connection.rest()
  expect(responses).toHaveLength(1)
  for (const response of responses) expectError(response, 408, 'REQUEST_TIMEOUT', 'time')
}

// A timeout starts again if the event loop was blocked for 200 ms. So with 300 ms or more, a request that is sent at once
// is accepted even if this process gets no processor time for a while.
describe('headersTimeoutMs', () => {
  it.each([
    ['nothing', ''],
    ['part of a line', 'GET /pe'],
    ['part of its headers', `GET /pets HTTP/1.1\r\n${HOST}\r\n`],
  ])('H3 closes a connection that sends %s', async (_, bytes) => {
    const server = await openServer({ ...SHOP, headersTimeoutMs: 300 })
    const connection = await openConnection(server.port)
    connection.send(bytes)
    await expectTimedOut(connection)
    await expectServerResponds(server)
  })

  it('closes a connection that sends part of its second request, even if the idle timeout is longer', async () => {
    const server = await openServer({ ...SHOP, headersTimeoutMs: 300, idleTimeoutMs: 60_000 })
    const connection = await openConnection(server.port)
    connection.send(`${GET}GET /pe`)
    expect(await connection.response()).toMatchObject({ status: 200 })
    await expectTimedOut(connection)
  })

  it('does not apply to the body', async () => {
    const server = await openServer({ ...SHOP, headersTimeoutMs: 500 })
    const [slow, late] = [await openConnection(server.port), await openConnection(server.port)]
    slow.send(toHttpText([...CREATE, CLOSE, 'Expect: 100-continue']))
    expect(await slow.response()).toMatchObject({ status: 100 })
    late.send('GET /pe')
    await expectTimedOut(late)
    slow.send(PET)
    expect(await slow.rest()).toMatchObject([{ status: 201 }])
  })
})

describe('requestTimeoutMs', () => {
  it.each([
    ['a body', toHttpText(CREATE, PET.slice(0, 10))],
    ['a body in chunks', toHttpText([...CREATE.slice(0, 3), 'Transfer-Encoding: chunked'], '5\r\n{"nam\r\n')],
  ])('rejects a request that sends part of %s, and creates nothing', async (_, bytes) => {
    const server = await openServer({ ...SHOP, requestTimeoutMs: 300 })
    await expectUnchanged(server, async () => {
      const connection = await openConnection(server.port)
      connection.send(bytes)
      await expectTimedOut(connection)
    })
    await expectServerResponds(server)
    await closeIdleServer(server)
  })

  it('does not apply to the response', async () => {
    const server = await openServer({ ...SHOP, requestTimeoutMs: 500, headersTimeoutMs: 500 })
    server.petstore.faults.add({ operation: 'getPet', delayMs: 700 })
    expect(await exchange(server.port, toHttpText(['GET /pets/1 HTTP/1.1', HOST, CLOSE]))).toMatchObject([
      { status: 200 },
    ])
  })
})

describe('idleTimeoutMs', () => {
  it('closes a connection without a further request, and sends nothing', async () => {
    const server = await openServer({ ...SHOP, idleTimeoutMs: 50 })
    const connection = await openConnection(server.port)
    connection.send(GET)
    expect(await connection.response()).toMatchObject({ status: 200 })
    expect(await connection.rest()).toEqual([])
    await expectServerResponds(server)
  })

  it('does not apply to clients that wait for a response, read events or send a body', async () => {
    const server = await openServer({ ...SHOP, idleTimeoutMs: 50 })
    server.petstore.faults.add({ operation: 'listCategories', delayMs: 400 })
    const events = await followEvents(server)
    const [waits, sends, idle] = [
      await openConnection(server.port),
      await openConnection(server.port),
      await openConnection(server.port),
    ]
    waits.send(toHttpText(['GET /categories HTTP/1.1', HOST, CLOSE]))
    sends.send(GET)
    expect(await sends.response()).toMatchObject({ status: 200 })
    sends.send(toHttpText([...CREATE, CLOSE, 'Expect: 100-continue']))
    expect(await sends.response()).toMatchObject({ status: 100 })
    idle.send(GET)
    expect(await idle.response()).toMatchObject({ status: 200 })
    expect(await idle.rest()).toEqual([])
    sends.send(PET)
    expect(await sends.rest()).toMatchObject([{ status: 201 }])
    expect(await waits.rest()).toMatchObject([{ status: 200 }])
    server.petstore.reset()
    let [event] = await events.take(1)
    while (event?.type !== 'reset') [event] = await events.take(1)
  })
})

describe('a timeout that passes while the event loop is blocked', () => {
  const block = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

  it.each([0, 5])('does not close an idle connection before %i turns of the event loop', async (turns) => {
    const server = await openServer({ ...SHOP, idleTimeoutMs: 500 })
    const connection = await openConnection(server.port)
    connection.send(GET)
    expect(await connection.response()).toMatchObject({ status: 200 })
    // Node adds a second to the idle timeout.
    block(1600)
    for (let count = 0; count < turns; count++) await setImmediate()
    connection.send(GET)
    expect(await connection.response()).toMatchObject({ status: 200 })
    expect(await connection.rest()).toEqual([])
  })

  it.each([
    ['its headers', 20],
    ['its body', -10],
  ])('does not reject a request that is still sending %s', async (_, position) => {
    const server = await openServer({ ...SHOP, headersTimeoutMs: 300, requestTimeoutMs: 300 })
    const connection = await openConnection(server.port)
    const request = toHttpText([...CREATE, CLOSE], PET)
    connection.send(request.slice(0, position))
    await setImmediate()
    block(600)
    for (let count = 0; count < 5; count++) await setImmediate()
    connection.send(request.slice(position))
    expect(await connection.rest()).toMatchObject([{ status: 201 }])
  })

  it('rejects a request that does not arrive after that', async () => {
    const server = await openServer({ ...SHOP, headersTimeoutMs: 300 })
    const connection = await openConnection(server.port)
    connection.send('GET /pe')
    await setImmediate()
    block(600)
    await expectTimedOut(connection)
  })
})

describe('maxConnections', () => {
  /** Opens connections one by one, each with one finished request. */
  async function openIdle(port: number, count: number): Promise<RawConnection[]> {
    const connections: RawConnection[] = []
    for (let index = 0; index < count; index++) {
      const connection = await openConnection(port)
      await expectUsable(connection)
      connections.push(connection)
    }
    return connections
  }

  async function expectUsable(connection: RawConnection): Promise<void> {
    connection.send(GET)
    expect(await connection.response()).toMatchObject({ status: 200, body: { id: 1 } })
  }

  it('keeps that many open, and closes the longest idle one for one more', async () => {
    const server = await openServer({ ...SHOP, maxConnections: 3 })
    const [first, second, third] = (await openIdle(server.port, 3)) as [RawConnection, RawConnection, RawConnection]
    await expectUsable(first)
    const [fourth] = (await openIdle(server.port, 1)) as [RawConnection]
    expect(await second.rest()).toEqual([])
    for (const connection of [third, first, fourth]) await expectUsable(connection)
    await expectServerResponds(server)
    expect(await third.rest()).toEqual([])
    for (const connection of [first, fourth]) await expectUsable(connection)
  })

  it('closes a new connection if no other is idle', async () => {
    const server = await openServer({ ...SHOP, maxConnections: 3 })
    const busy = await openIdle(server.port, 3)
    for (const connection of busy) {
      connection.send(toHttpText([...CREATE, CLOSE, 'Expect: 100-continue']))
      expect(await connection.response()).toMatchObject({ status: 100 })
    }
    const rejected = await openConnection(server.port)
    expect(await rejected.rest()).toEqual([])
    for (const connection of busy) {
      connection.send(PET)
      expect(await connection.rest()).toMatchObject([{ status: 201 }])
    }
    await expectServerResponds(server)
    await closeIdleServer(server)
  })
})
