import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import type { ServerOptions } from '../../src/adapters/server/index.js'
import { expectUnchanged, shop } from '../support/client.js'
import { exchange, expectServerResponds, openConnection, openServer, toHttpText } from '../support/raw-connection.js'
import { shareServer } from './share-server.js'

const SHOP: ServerOptions = { fixtures: shop([{ id: 1, name: 'Rex' }]) }
const server = await shareServer(SHOP)
const HOST = 'Host: localhost'
const JSON_TYPE = 'Content-Type: application/json'
const CHUNKED = 'Transfer-Encoding: chunked'
const PET = JSON.stringify({ name: 'Bo', categoryId: 1 })
const CREATE = toHttpText(['POST /pets HTTP/1.1', HOST, JSON_TYPE, `Content-Length: ${PET.length}`], PET)

it.each([
  ['an unsupported coding', 501, [HOST, 'Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'],
  ['too many headers', 431, [HOST, ...Array.from({ length: 100 }, (_, index) => `X-${index}: 1`)], ''],
  ['an unsupported expectation', 417, [HOST, 'Expect: banana'], ''],
  ['an expectation and an unknown host', 421, ['Host: evil.example', 'Expect: 100-continue', 'Content-Length: 0'], ''],
])('does not run a request that follows one with %s', async (_, status, head, body) => {
  await expectUnchanged(server, async () => {
    const responses = await exchange(server.port, toHttpText(['POST /pets HTTP/1.1', ...head], body) + CREATE)
    expect(responses.map((response) => response.status)).toStrictEqual([status])
  })
})

it('does not run requests that wait when the server closes', async () => {
  const server = await openServer(SHOP)
  const received = new Promise<() => void>((resolve) => {
    server.petstore.override('getPet', async ({ next }) => {
      await new Promise<void>(resolve)
      return next()
    })
  })
  await expectUnchanged(server, async () => {
    const connection = await openConnection(server.port)
    connection.send(toHttpText(['GET /pets/1 HTTP/1.1', HOST]) + CREATE)
    const respond = await received
    const closing = server.close()
    respond()
    expect((await connection.rest()).map((response) => response.status)).toStrictEqual([200])
    await closing
  })
})

it('joins repeated headers, like the other adapters', async () => {
  const head = ['POST /pets HTTP/1.1', HOST, JSON_TYPE, 'Content-Type: text/plain', `Content-Length: ${PET.length}`]
  const connection = await openConnection(server.port)
  connection.send(toHttpText(head, PET))
  const { status, text } = await connection.response()
  const sent = { method: 'POST', headers: { 'content-type': 'application/json, text/plain' }, body: PET }
  const inMemory = await server.petstore.fetch('/pets', sent)
  expect({ status, text }).toStrictEqual({ status: 415, text: await inMemory.text() })
})

it.each([
  ['a malformed chunk', 'zz\r\n', 421],
  ['a malformed request', '0\r\n\r\nnonsense\r\n\r\n', 421, 400],
])('rejects a request to an unknown host once when it continues with %s', async (_, rest, ...statuses) => {
  const connection = await openConnection(server.port)
  connection.send(toHttpText(['POST /pets HTTP/1.1', 'Host: evil.example', CHUNKED], ''))
  const first = await connection.response()
  connection.send(rest)
  expect([first, ...(await connection.rest())].map(({ status }) => status)).toStrictEqual(statuses)
})

it('does not run a request whose body is completed after its timeout', async () => {
  const server = await openServer({ ...SHOP, requestTimeoutMs: 300 })
  const connection = await openConnection(server.port)
  await expectUnchanged(server, async () => {
    connection.send(CREATE.slice(0, -5))
    expect((await connection.response()).status).toBe(408)
    connection.send(PET.slice(-5))
    expect(await connection.rest()).toStrictEqual([])
  })
})

it('survives a client that sends CONNECT after a request that waits and resets the connection', async () => {
  const server = await openServer({ ...SHOP, delay: 50 })
  const bytes = toHttpText(['GET /pets HTTP/1.1', HOST]) + toHttpText(['CONNECT a:1 HTTP/1.1', HOST])
  for (let count = 0; count < 20; count++) {
    const socket = connect(server.port, '127.0.0.1')
    await once(socket, 'connect')
    await new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
    socket.resetAndDestroy()
  }
  await expectServerResponds(server)
})

it('closes a connection with more than 10,000 waiting requests', async () => {
  const server = await openServer(SHOP)
  server.petstore.faults.add({ kind: 'timeout', times: 1 })
  const connection = await openConnection(server.port)
  connection.send(toHttpText(['GET /pets/1 HTTP/1.1', HOST]).repeat(10_000))
  await expectServerResponds(server)
  connection.send(toHttpText(['GET /pets/1 HTTP/1.1', HOST]).repeat(10))
  expect(await connection.rest()).toStrictEqual([])
  await expectServerResponds(server)
})
