import { once } from 'node:events'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PetstoreServer } from '../../src/adapters/server/index.js'
import { useTemporaryCache } from '../support/adapter-tls.js'
import { shop } from '../support/client.js'
import { collectGarbage } from '../support/collect-garbage.js'
import { openSession, request } from '../support/http2-client.js'
import {
  END_HEADERS,
  END_STREAM,
  type FrameConnection,
  frame,
  openFrames,
  pseudoHeaders,
  TYPES,
} from '../support/http2-frames.js'
import { openServer } from '../support/raw-connection.js'

beforeAll(useTemporaryCache)

const MB = 1_048_576
const FILE = '/docs/assets/swagger-ui.js'
const openHttps = () => openServer({ fixtures: shop([{ id: 1, name: 'Rex' }]), https: true })

/** Opens an HTTP/2 connection whose client accepts the heads of responses, but not their bodies. */
async function openUnread(server: PetstoreServer): Promise<FrameConnection> {
  const connection = await openFrames(server)
  connection.send(frame(TYPES.SETTINGS, 0, 0, windowSize(0)))
  return connection
}

function windowSize(bytes: number): Buffer {
  const setting = Buffer.alloc(6)
  setting.writeUInt16BE(4, 0)
  setting.writeUInt32BE(bytes, 2)
  return setting
}

function get(connection: FrameConnection, path: string, count: number): void {
  const block = pseudoHeaders('GET', path)
  const frames = Array.from({ length: count }, (_, index) =>
    frame(TYPES.HEADERS, END_HEADERS | END_STREAM, 2 * index + 1, block),
  )
  connection.send(...frames)
}

const heads = (connection: FrameConnection) => connection.received().filter((type) => type === TYPES.HEADERS).length

/** Lets the server send everything. */
function readAll(connection: FrameConnection): void {
  connection.send(
    frame(TYPES.SETTINGS, 0, 0, windowSize(2 ** 31 - 1)),
    frame(TYPES.WINDOW_UPDATE, 0, 0, Buffer.from([0x7f, 0, 0, 0])),
  )
}

/** Resolves when the server has handled all that was sent before. */
async function settle(connection: FrameConnection): Promise<void> {
  const pings = () => connection.received().filter((type) => type === TYPES.PING).length
  const before = pings()
  connection.send(frame(TYPES.PING, 0, 0, Buffer.alloc(8)))
  await expect.poll(pings).toBe(before + 1)
}

function memory(): number {
  collectGarbage()
  const { external, heapUsed } = process.memoryUsage()
  return external + heapUsed
}

describe('responses that are not read', () => {
  it('take little memory over HTTP/2, if they are files of the web pages', async () => {
    const server = await openHttps()
    await (await server.fetch(FILE)).text()
    const connection = await openUnread(server)
    const before = memory()
    get(connection, FILE, 100)
    await expect.poll(() => heads(connection)).toBe(100)
    expect(memory() - before).toBeLessThan(10 * MB)
  })

  it('keep further requests of an HTTP/2 connection waiting, which are handled when they are read', async () => {
    const server = await openHttps()
    server.petstore.override('getPet', { status: 200, body: 'x'.repeat(MB) }, { raw: true })
    const session = openSession(server)
    session.settings({ initialWindowSize: 0 })
    await once(session, 'localSettings')
    const responses = Array.from({ length: 12 }, () => request(session, '/pets/1'))
    await server.petstore.journal.waitFor('getPet', { times: 5 })
    await new Promise((resolve) => session.ping(resolve))
    expect((await server.fetch('/categories')).status).toBe(200)
    expect(server.petstore.journal.entries({ operation: 'getPet' })).toHaveLength(5)
    session.settings({ initialWindowSize: 2 ** 31 - 1 })
    session.setLocalWindowSize(2 ** 30)
    for (const { status, text } of await Promise.all(responses)) expect([status, text.length]).toEqual([200, MB])
  })

  it.each(['state', 'journal', 'journal.har', 'reproduction'])(
    'keep other exports on an HTTP/2 connection waiting: %s',
    async (name) => {
      const server = await openHttps()
      const connection = await openUnread(server)
      get(connection, `/__admin/${name}`, 10)
      await expect.poll(() => heads(connection)).toBe(1)
      await settle(connection)
      expect((await server.fetch(`/__admin/${name}`)).status).toBe(200)
      expect(heads(connection)).toBe(1)
      readAll(connection)
      await expect.poll(() => heads(connection)).toBe(10)
    },
  )
})
