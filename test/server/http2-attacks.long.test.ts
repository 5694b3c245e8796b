import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { PetstoreServer } from '../../src/adapters/server/index.js'
import { useTemporaryCache } from '../support/adapter-tls.js'
import { openSession, request } from '../support/http2-client.js'
import { END_HEADERS, END_STREAM, frame, literal, openFrames, pseudoHeaders, TYPES } from '../support/http2-frames.js'
import { openServer } from '../support/raw-connection.js'

const { CONTINUATION, GOAWAY, HEADERS, PING, RST_STREAM, SETTINGS } = TYPES

beforeAll(useTemporaryCache)

/** So short that a test need not wait for long. */
const TIMEOUTS = { headersTimeoutMs: 500, requestTimeoutMs: 500, idleTimeoutMs: 500 }

const WAIT = { timeout: 30_000 }

/** No other client may wait longer than this, on a busy machine. */
const MAX_WAIT_MS = 5000

const GET_PETS = pseudoHeaders('GET', '/pets?limit=100')
const POST_PET = pseudoHeaders('POST', '/pets')

/** Expects another client to be served while `attack` runs. */
async function expectOthersServed(server: PetstoreServer, title: string, attack: () => Promise<void>): Promise<void> {
  const session = openSession(server)
  let isRunning = true
  const waits: number[] = []
  const others = (async () => {
    while (isRunning) {
      const startedAt = performance.now()
      expect((await request(session, '/pets/1')).status).toBe(200)
      waits.push(performance.now() - startedAt)
      await pause(5)
    }
  })()
  await attack()
  isRunning = false
  await others
  const longest = Math.max(...waits)
  console.info(`${title}: ${waits.length} other requests, the longest took ${longest.toFixed(0)} ms`)
  expect(longest).toBeLessThan(MAX_WAIT_MS)
}

const repeat = (count: number, make: (index: number) => Buffer) =>
  Array.from({ length: count }, (_, index) => make(index))

/** The streams of a client have odd ids. */
const streamId = (index: number) => 2 * index + 1

describe('over HTTP/2, other clients are served while a client', () => {
  it('opens and resets streams', async () => {
    const server = await openServer({ https: true })
    await expectOthersServed(server, 'rapid reset', async () => {
      const connection = await openFrames(server)
      const cancel = Buffer.from([0, 0, 0, 8])
      for (let round = 0; round < 20 && connection.socket.writable; round++) {
        const frames = repeat(500, (index) => {
          const id = streamId(500 * round + index)
          return Buffer.concat([
            frame(HEADERS, END_HEADERS | END_STREAM, id, GET_PETS),
            frame(RST_STREAM, 0, id, cancel),
          ])
        })
        connection.send(...frames)
        await pause(1)
      }
      await connection.closed
      expect(connection.received()).toContain(GOAWAY)
    })
  })

  it('sends CONTINUATION frames without an end', async () => {
    const server = await openServer({ https: true })
    await expectOthersServed(server, 'CONTINUATION flood', async () => {
      const connection = await openFrames(server)
      connection.send(frame(HEADERS, END_STREAM, 1, GET_PETS))
      connection.send(...repeat(10_000, () => frame(CONTINUATION, 0, 1, literal('x-a', 'a'.repeat(100)))))
      await connection.closed
    })
  })

  it.each([
    ['SETTINGS', () => frame(SETTINGS, 0, 0)],
    ['PING', () => frame(PING, 0, 0, Buffer.alloc(8))],
  ])('floods the server with %s frames and does not read the replies', async (name, make) => {
    const server = await openServer({ https: true })
    await expectOthersServed(server, `${name} flood`, async () => {
      const connection = await openFrames(server, false)
      let isClosed = false
      void connection.closed.then(() => {
        isClosed = true
      })
      // A connection that is not read notices its end only when it sends.
      await vi.waitUntil(
        () => {
          connection.send(...repeat(5000, make))
          return isClosed || connection.socket.destroyed
        },
        { ...WAIT, interval: 20 },
      )
    })
  })

  it('keeps its window at zero', async () => {
    const server = await openServer({ https: true, ...TIMEOUTS })
    await expectOthersServed(server, 'zero window', async () => {
      const connection = await openFrames(server)
      // SETTINGS_INITIAL_WINDOW_SIZE is 4.
      connection.send(frame(SETTINGS, 0, 0, Buffer.from([0, 4, 0, 0, 0, 0])))
      connection.send(...repeat(100, (index) => frame(HEADERS, END_HEADERS | END_STREAM, streamId(index), GET_PETS)))
      await connection.closed
      expect(connection.received().filter((type) => type === RST_STREAM)).toHaveLength(100)
      expect(connection.received()).toContain(GOAWAY)
    })
  })

  it('opens more streams than allowed, and sends no body on any', async () => {
    const server = await openServer({ https: true, ...TIMEOUTS })
    await expectOthersServed(server, 'many streams', async () => {
      const connection = await openFrames(server)
      const head = Buffer.concat([POST_PET, literal('content-type', 'application/json')])
      connection.send(...repeat(150, (index) => frame(HEADERS, END_HEADERS, streamId(index), head)))
      await connection.closed
      // 50 are refused, the others get a 408.
      expect(connection.received().filter((type) => type === HEADERS).length).toBeLessThanOrEqual(100)
    })
  })

  it('sends a header list that is too large', async () => {
    const server = await openServer({ https: true, ...TIMEOUTS })
    await expectOthersServed(server, 'header bomb', async () => {
      const connection = await openFrames(server)
      // One header for the dynamic table, then one byte for each repetition of it.
      const value = 'a'.repeat(120)
      const stored = Buffer.concat([
        Buffer.from([0x40, 3]),
        Buffer.from('x-a'),
        Buffer.from([value.length]),
        Buffer.from(value),
      ])
      const block = Buffer.concat([GET_PETS, stored, Buffer.alloc(15_000, 0xbe)])
      connection.send(...repeat(5, (index) => frame(HEADERS, END_HEADERS | END_STREAM, streamId(index), block)))
      await connection.closed
    })
  })

  it('sends half a header block, or PING frames only', async () => {
    const server = await openServer({ https: true, ...TIMEOUTS })
    await expectOthersServed(server, 'half a header block', async () => {
      const [half, pings] = [await openFrames(server), await openFrames(server)]
      half.send(frame(HEADERS, END_STREAM, 1, GET_PETS))
      const timer = setInterval(() => pings.send(frame(PING, 0, 0, Buffer.alloc(8))), 20)
      onTestFinished(() => clearInterval(timer))
      await Promise.all([half.closed, pings.closed])
    })
  })
})
