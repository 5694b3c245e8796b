import { describe, expect, it } from 'vitest'
import type { ServerOptions } from '../../src/adapters/server/index.js'
import { followEvents } from '../support/admin.js'
import { expectError, expectUnchanged, shop } from '../support/client.js'
import {
  closeInTime,
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
  /** A request whose target, header names and header values have so many bytes together. */
  function getOf(bytes: number, place: 'target' | 'header'): string {
    const fixed =
      '/pets?x='.length + 'Host'.length + 'localhost'.length + 'Connection'.length + 'close'.length + 'X'.length
    const filling = 'a'.repeat(bytes - fixed)
    const [inTarget, inHeader] = place === 'target' ? [filling, ''] : ['', filling]
    return toHttpText([`GET /pets?x=${inTarget} HTTP/1.1`, HOST, CLOSE, `X: ${inHeader}`])
  }

  it.each<[number | undefined, 'target' | 'header']>([
    [500, 'target'],
    [500, 'header'],
    [8000, 'target'],
    [undefined, 'header'],
  ])('of %s are taken in the %s, and not one more', async (limit, place) => {
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

  it.each([undefined, 5, 1000])('of %s are taken, and not one more', async (maxHeaders) => {
    const server = await openServer({ ...SHOP, ...(maxHeaders !== undefined && { maxHeaders }) })
    const count = maxHeaders ?? 100
    expect(await exchange(server.port, getWith(count))).toMatchObject([{ status: 200 }])
    await expectBytesRejected(server, getWith(count + 1), 431, 'HEADERS_TOO_LARGE', String(count))
  })

  it('D15 counts a name as often as it comes: 2,000 short ones are too many', async () => {
    const server = await openServer(SHOP)
    const request = (count: number) => toHttpText(['GET /pets HTTP/1.1', HOST, CLOSE, ...Array(count).fill('a:b')])
    expect(await exchange(server.port, request(98))).toMatchObject([{ status: 200 }])
    await expectBytesRejected(server, request(99), 431, 'HEADERS_TOO_LARGE', '101 headers')
    await expectBytesRejected(server, request(2000), 431, 'HEADERS_TOO_LARGE', '2002 headers')
  })
})

/** Told that it took too long, and hung up on. */
async function expectLate(wire: RawConnection): Promise<void> {
  const answers = await wire.rest()
  expect(answers).toHaveLength(1)
  for (const answer of answers) expectError(answer, 408, 'REQUEST_TIMEOUT', 'time')
}

describe('headersTimeoutMs', () => {
  it.each([
    ['nothing', ''],
    ['part of a line', 'GET /pe'],
    ['part of its headers', `GET /pets HTTP/1.1\r\n${HOST}\r\n`],
  ])('H3 cuts a connection that sends %s', async (_, bytes) => {
    const server = await openServer({ ...SHOP, headersTimeoutMs: 100 })
    const wire = await openConnection(server.port)
    wire.send(bytes)
    await expectLate(wire)
    await expectServerResponds(server)
  })

  it('cuts a connection that sends part of its second request, however long it may be idle', async () => {
    const server = await openServer({ ...SHOP, headersTimeoutMs: 100, idleTimeoutMs: 60_000 })
    const wire = await openConnection(server.port)
    wire.send(`${GET}GET /pe`)
    expect(await wire.response()).toMatchObject({ status: 200 })
    await expectLate(wire)
  })

  it('does not cut short the body that comes after them', async () => {
    const server = await openServer({ ...SHOP, headersTimeoutMs: 50 })
    const [slow, late] = [await openConnection(server.port), await openConnection(server.port)]
    slow.send(toHttpText([...CREATE, CLOSE, 'Expect: 100-continue']))
    expect(await slow.response()).toMatchObject({ status: 100 })
    late.send('GET /pe')
    await expectLate(late)
    slow.send(PET)
    expect(await slow.rest()).toMatchObject([{ status: 201 }])
  })
})

describe('requestTimeoutMs', () => {
  it.each([
    ['headers', {}, 'POST /pets HTTP/1.1\r\n'],
    ['a body', {}, toHttpText(CREATE, PET.slice(0, 10))],
    ['a body in chunks', {}, toHttpText([...CREATE.slice(0, 3), 'Transfer-Encoding: chunked'], '5\r\n{"nam\r\n')],
    ['a body, where headers may take longer', { headersTimeoutMs: 60_000 }, toHttpText(CREATE, PET.slice(0, 10))],
  ])('cuts a request that sends part of %s, and nothing is created', async (_, options, bytes) => {
    const server = await openServer({ ...SHOP, ...options, requestTimeoutMs: 100 })
    await expectUnchanged(server, async () => {
      const wire = await openConnection(server.port)
      wire.send(bytes)
      await expectLate(wire)
    })
    await expectServerResponds(server)
    await closeInTime(server)
  })

  it('does not cut short an answer that takes longer', async () => {
    const server = await openServer({ ...SHOP, requestTimeoutMs: 50, headersTimeoutMs: 50 })
    server.petstore.faults.add({ operation: 'getPet', delayMs: 300 })
    expect(await exchange(server.port, toHttpText(['GET /pets/1 HTTP/1.1', HOST, CLOSE]))).toMatchObject([
      { status: 200 },
    ])
  })
})

describe('idleTimeoutMs', () => {
  it('lets an answer take its time behind one that was long to read', async () => {
    const pets = Array.from({ length: 8 }, (_, index) => ({ id: index + 1, name: 'x'.repeat(1_000_000) }))
    const server = await openServer({ fixtures: shop(pets), idleTimeoutMs: 2000, validateResponses: false })
    server.petstore.faults.add({ operation: 'getInventory', delayMs: 3000 })
    const wire = await openConnection(server.port)
    wire.send(toHttpText(['GET /pets HTTP/1.1', HOST]) + toHttpText(['GET /store/inventory/1 HTTP/1.1', HOST]))
    expect((await wire.response()).status).toBe(200)
    expect((await wire.response()).body).toMatchObject({ petId: 1 })
  })

  it('closes a connection that asks for nothing more, without another word', async () => {
    const server = await openServer({ ...SHOP, idleTimeoutMs: 50 })
    const wire = await openConnection(server.port)
    wire.send(GET)
    expect(await wire.response()).toMatchObject({ status: 200 })
    expect(await wire.rest()).toEqual([])
    await expectServerResponds(server)
  })

  it('leaves those alone that wait for an answer, listen to events or send', async () => {
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

describe('maxConnections', () => {
  /** So many connections that have each been answered once, in their order. */
  async function openIdle(port: number, count: number): Promise<RawConnection[]> {
    const wires: RawConnection[] = []
    for (let index = 0; index < count; index++) {
      const wire = await openConnection(port)
      await expectUsable(wire)
      wires.push(wire)
    }
    return wires
  }

  async function expectUsable(wire: RawConnection): Promise<void> {
    wire.send(GET)
    expect(await wire.response()).toMatchObject({ status: 200, body: { id: 1 } })
  }

  it('are all kept, and one more takes the place of the longest idle', async () => {
    const server = await openServer({ ...SHOP, maxConnections: 3 })
    const [first, second, third] = (await openIdle(server.port, 3)) as [RawConnection, RawConnection, RawConnection]
    await expectUsable(first)
    const [fourth] = (await openIdle(server.port, 1)) as [RawConnection]
    expect(await second.rest()).toEqual([])
    for (const wire of [third, first, fourth]) await expectUsable(wire)
    await expectServerResponds(server)
    expect(await third.rest()).toEqual([])
    for (const wire of [first, fourth]) await expectUsable(wire)
  })

  it('are not disturbed by one more while none is idle', async () => {
    const server = await openServer({ ...SHOP, maxConnections: 3 })
    const busy = await openIdle(server.port, 3)
    for (const wire of busy) {
      wire.send(toHttpText([...CREATE, CLOSE, 'Expect: 100-continue']))
      expect(await wire.response()).toMatchObject({ status: 100 })
    }
    const stranger = await openConnection(server.port)
    expect(await stranger.rest()).toEqual([])
    for (const wire of busy) {
      wire.send(PET)
      expect(await wire.rest()).toMatchObject([{ status: 201 }])
    }
    await expectServerResponds(server)
    await closeInTime(server)
  })
})
