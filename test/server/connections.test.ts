import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import type { ServerOptions } from '../../src/adapters/server/index.js'
import { expectUnchanged, shop } from '../support/client.js'
import { exchange, expectServerResponds, openConnection, openServer, toHttpText } from '../support/raw-connection.js'

const SHOP: ServerOptions = { fixtures: shop([{ id: 1, name: 'Rex' }]) }
const HOST = 'Host: localhost'
const JSON_TYPE = 'Content-Type: application/json'
const CHUNKED = 'Transfer-Encoding: chunked'
const PET = JSON.stringify({ name: 'Bo', categoryId: 1 })
const CREATE = toHttpText(['POST /pets HTTP/1.1', HOST, JSON_TYPE, `Content-Length: ${PET.length}`], PET)

it.each([
  ['a coding nobody here decodes', 501, [HOST, 'Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'],
  ['two hosts', 400, [HOST, HOST], ''],
  ['too many headers', 431, [HOST, ...Array.from({ length: 100 }, (_, index) => `X-${index}: 1`)], ''],
  ['an expectation that is not met', 417, [HOST, 'Expect: banana'], ''],
  ['two expectations', 417, [HOST, 'Expect: 100-continue', 'Expect: banana'], ''],
  ['an expectation and a strange host', 421, ['Host: evil.example', 'Expect: 100-continue', 'Content-Length: 0'], ''],
])('what is sent behind a request with %s is not executed', async (_, status, head, body) => {
  const server = await openServer(SHOP)
  await expectUnchanged(server, async () => {
    const answers = await exchange(server.port, toHttpText(['POST /pets HTTP/1.1', ...head], body) + CREATE)
    expect(answers.map((answer) => answer.status)).toStrictEqual([status])
  })
})

it('what waits behind the last answer of a server that closes is not executed', async () => {
  const server = await openServer(SHOP)
  server.petstore.faults.add({ operation: 'getPet', delayMs: 200 })
  await expectUnchanged(server, async () => {
    const wire = await openConnection(server.port)
    wire.send(toHttpText(['GET /pets/1 HTTP/1.1', HOST]) + CREATE)
    await expect.poll(() => server.petstore.faults.list()[0]?.applied).toBe(1)
    const closing = server.close()
    expect((await wire.rest()).map((answer) => answer.status)).toStrictEqual([200])
    await closing
  })
})

it('two headers of one name both count, as they do on the other adapters', async () => {
  const server = await openServer(SHOP)
  const head = ['POST /pets HTTP/1.1', HOST, JSON_TYPE, 'Content-Type: text/plain', `Content-Length: ${PET.length}`]
  const wire = await openConnection(server.port)
  wire.send(toHttpText(head, PET))
  const { status, text } = await wire.response()
  const sent = { method: 'POST', headers: { 'content-type': 'application/json, text/plain' }, body: PET }
  const inMemory = await server.petstore.fetch('/pets', sent)
  expect({ status, text }).toStrictEqual({ status: 415, text: await inMemory.text() })
})

it.each([
  ['of a stranger', 421, 'Host: evil.example'],
  ['with an expectation that is not met', 417, `${HOST}\r\nExpect: banana`],
])('a request %s is answered once, however its body goes on', async (_, status, head) => {
  const server = await openServer(SHOP)
  const answers = await exchange(server.port, toHttpText(['POST /pets HTTP/1.1', head, CHUNKED], 'zz\r\nzz\r\n'))
  expect(answers.map((answer) => answer.status)).toStrictEqual([status])
})

it.each([
  ['a chunk that is none', 'zz\r\n', 421],
  ['another request that is none', '0\r\n\r\nnonsense\r\n\r\n', 421, 400],
])(
  'a stranger whose request was answered, and who goes on with %s, is told nothing twice',
  async (_, rest, ...statuses) => {
    const server = await openServer(SHOP)
    const wire = await openConnection(server.port)
    wire.send(toHttpText(['POST /pets HTTP/1.1', 'Host: evil.example', CHUNKED], ''))
    const first = await wire.response()
    wire.send(rest)
    expect([first, ...(await wire.rest())].map(({ status }) => status)).toStrictEqual(statuses)
  },
)

it('a request that came too late is not executed when the rest of it arrives after all', async () => {
  const server = await openServer({ ...SHOP, requestTimeoutMs: 200 })
  const wire = await openConnection(server.port)
  await expectUnchanged(server, async () => {
    wire.send(CREATE.slice(0, -5))
    expect((await wire.response()).status).toBe(408)
    wire.send(PET.slice(-5))
    expect(await wire.rest()).toStrictEqual([])
  })
})

it.each([
  ['', ''],
  [' behind a request that waits', toHttpText(['GET /pets HTTP/1.1', HOST])],
])(
  'a client that asks for a tunnel%s and breaks the connection does not take the server with it',
  async (_, before) => {
    const server = await openServer({ ...SHOP, delay: before === '' ? 0 : 50 })
    for (let count = 0; count < 20; count++) {
      const socket = connect(server.port, '127.0.0.1')
      await once(socket, 'connect')
      await new Promise<void>((resolve) =>
        socket.write(`${before}${toHttpText(['CONNECT a:1 HTTP/1.1', HOST])}`, () => resolve()),
      )
      socket.resetAndDestroy()
    }
    await expectServerResponds(server)
  },
)

it('a client that sends ten thousand requests ahead of their answers is hung up on', async () => {
  const server = await openServer(SHOP)
  server.petstore.faults.add({ kind: 'timeout', times: 1 })
  const wire = await openConnection(server.port)
  wire.send(toHttpText(['GET /pets/1 HTTP/1.1', HOST]).repeat(10_000))
  await expectServerResponds(server)
  wire.send(toHttpText(['GET /pets/1 HTTP/1.1', HOST]).repeat(10))
  expect(await wire.rest()).toStrictEqual([])
  await expectServerResponds(server)
})

it('thousands of requests behind one that takes its time are answered in their order', async () => {
  const server = await openServer({
    fixtures: shop([
      { id: 1, name: 'Rex' },
      { id: 2, name: 'Bo' },
    ]),
  })
  server.petstore.faults.add({ kind: 'delay', delayMs: 50, times: 1 })
  const wire = await openConnection(server.port)
  const pairs = 4000
  const [one, other] = ['/pets/1', '/pets/2'].map((path) => toHttpText([`GET ${path} HTTP/1.1`, HOST]))
  wire.send(`${one}${other}`.repeat(pairs))
  for (let count = 0; count < pairs; count++) {
    expect([(await wire.response()).body, (await wire.response()).body]).toMatchObject([{ id: 1 }, { id: 2 }])
  }
})

it.each(['reset', 'timeout', 'truncate'] as const)(
  'a fault (%s) is met behind an answer that was asked for in the same breath',
  async (kind) => {
    const server = await openServer({ ...SHOP, idleTimeoutMs: 200 })
    server.petstore.faults.add({ kind, operation: 'getPet' })
    const wire = await openConnection(server.port)
    wire.send(toHttpText(['GET /pets HTTP/1.1', HOST]) + toHttpText(['GET /pets/1 HTTP/1.1', HOST]))
    expect(await wire.response()).toMatchObject({ status: 200, body: [{ id: 1 }] })
    await expect.poll(() => server.petstore.journal.total).toBe(2)
    if (kind === 'timeout') await server.close()
    await expect(wire.response()).rejects.toThrow('before the connection ended')
  },
)
