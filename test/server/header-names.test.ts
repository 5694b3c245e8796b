import { beforeAll, expect, it } from 'vitest'
import type { PetstoreServer } from '../../src/adapters/server/index.js'
import { useTemporaryCache } from '../support/adapter-tls.js'
import { shop } from '../support/client.js'
import { END_HEADERS, END_STREAM, frame, literal, openFrames, pseudoHeaders, TYPES } from '../support/http2-frames.js'
import { exchange, openServer, toHttpText } from '../support/raw-connection.js'

beforeAll(useTemporaryCache)

async function expectRecorded({ petstore }: PetstoreServer): Promise<void> {
  const [entry] = await petstore.journal.waitFor('getPet')
  expect(Object.entries(entry?.request.headers ?? {})).toEqual(
    expect.arrayContaining([
      ['__proto__', 'a, b'],
      ['constructor', 'c'],
    ]),
  )
  const match = { headers: JSON.parse('{"__proto__":"a, b","constructor":"c"}') }
  expect(petstore.journal.entries({ match })).toHaveLength(1)
}

it('records headers with names of members that every object has, over HTTP/1.1', async () => {
  const server = await openServer({ fixtures: shop([{ id: 1, name: 'Rex' }]) })
  const headers = ['Host: localhost', 'Connection: close', '__Proto__: a', 'Constructor: c', '__proto__: b']
  expect(await exchange(server.port, toHttpText(['GET /pets/1 HTTP/1.1', ...headers]))).toMatchObject([{ status: 200 }])
  await expectRecorded(server)
})

it('records headers with names of members that every object has, over HTTP/2', async () => {
  const server = await openServer({ fixtures: shop([{ id: 1, name: 'Rex' }]), https: true })
  const connection = await openFrames(server)
  const own = [literal('__proto__', 'a'), literal('constructor', 'c'), literal('__proto__', 'b')]
  const block = Buffer.concat([pseudoHeaders('GET', '/pets/1'), ...own])
  connection.send(frame(TYPES.HEADERS, END_HEADERS | END_STREAM, 1, block))
  await expectRecorded(server)
})
