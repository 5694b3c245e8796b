import { Server as HttpServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ServerOptions } from '../../src/adapters/server/index.js'
import type { FaultRule } from '../../src/index.js'
import { shop } from '../support/client.js'
import { VERY_LONG_MS } from '../support/faults.js'
import { closeIdleServer, expectServerResponds, openServer, toHttpText } from '../support/raw-connection.js'

const SHOP: ServerOptions = { fixtures: shop([{ id: 1, name: 'Rex' }]) }
const HOST = 'Host: localhost'
const BODY = '{"id":1,"name":"Rex","categoryId":1,"status":"available"}'
const GET = toHttpText(['GET /pets/1 HTTP/1.1', HOST])
const LIST = toHttpText(['GET /categories HTTP/1.1', HOST])
const NEW_PET = '{"name":"Bo","categoryId":1}'
const CREATE = toHttpText(
  ['POST /pets HTTP/1.1', HOST, 'Content-Type: application/json', `Content-Length: ${NEW_PET.length}`],
  NEW_PET,
)

describe('reset', () => {
  it('breaks the connection with a RST, without sending anything', async () => {
    const server = await openWith({ kind: 'reset' })
    const connection = await openPartsConnection(server.port)
    connection.socket.write(GET)
    expect(await connection.waitForEnd()).toEqual({ text: '', error: 'ECONNRESET' })
  })

  it('is applied after earlier responses on the connection, and drops later requests', async () => {
    const server = await openWith({ kind: 'reset', operation: 'createPet' })
    const connection = await openPartsConnection(server.port)
    connection.socket.write(GET)
    await connection.waitFor(BODY)
    connection.socket.write(CREATE + GET)
    expect(await connection.waitForEnd()).toMatchObject({ error: 'ECONNRESET' })
    expect(server.petstore.journal.entries().map(({ operation }) => operation)).toEqual(['getPet', 'createPet'])
    expect(server.petstore.data.pets.all()).toHaveLength(1)
  })
})

describe('timeout', () => {
  it('keeps the connection open until the client disconnects', async () => {
    const server = await openWith({ kind: 'timeout', times: 1 })
    const connection = await openPartsConnection(server.port)
    connection.socket.write(GET)
    await expect.poll(() => server.petstore.journal.total).toBe(1)
    await expectServerResponds(server)
    expect(connection.socket.readyState).toBe('open')
    connection.socket.destroy()
    expect(await connection.waitForEnd()).toEqual({ text: '' })
    await expectNothingLeft(server)
  })
})

describe('truncate', () => {
  it('sends the full Content-Length and half of the body, then closes the connection', async () => {
    const server = await openWith({ kind: 'truncate' })
    const connection = await openPartsConnection(server.port)
    connection.socket.write(GET)
    const { text } = await connection.waitForEnd()
    const [head, body] = text.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(head).toContain(`\r\nContent-Length: ${BODY.length}\r\n`)
    expect(head).toContain('\r\nDeprecation: @')
    expect(body).toBe(BODY.slice(0, Math.floor(BODY.length / 2)))
  })
})

describe('slow', () => {
  it('sends the body in several parts, then the next response', async () => {
    const server = await openWith({ kind: 'slow', delayMs: 70, times: 1 })
    const connection = await openPartsConnection(server.port)
    connection.socket.write(GET + LIST)
    const text = await connection.waitFor('Cats')
    expect(connection.parts.filter((part) => !part.includes('HTTP/1.1'))).not.toEqual([])
    expect(text).toContain(`\r\n\r\n${BODY}HTTP/1.1 200 OK\r\n`)
  })

  it('sends the head and the first part at once, and stops when the client disconnects', async () => {
    const server = await openWith({ kind: 'slow', delayMs: VERY_LONG_MS, times: 1 })
    const connection = await openPartsConnection(server.port)
    connection.socket.write(GET)
    const first = BODY.slice(0, Math.floor(BODY.length / 8))
    expect(await connection.waitFor(`\r\n\r\n${first}`)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    await expectServerResponds(server)
    expect(connection.parts.join('').endsWith(first)).toBe(true)
    connection.socket.destroy()
    await expectNothingLeft(server)
  })
})

describe('delay', () => {
  it('leaves no timer behind when the client disconnects', async () => {
    const server = await openWith({ delayMs: VERY_LONG_MS, times: 3 })
    const connections = await Promise.all([1, 2, 3].map(() => openPartsConnection(server.port)))
    for (const { socket } of connections) socket.write(CREATE)
    await expect.poll(() => server.petstore.data.pets.all()).toHaveLength(4)
    for (const { socket } of connections) socket.destroy()
    await expectNothingLeft(server)
    expect(server.petstore.data.pets.all()).toHaveLength(4)
  })
})

type Server = Awaited<ReturnType<typeof openServer>>

async function openWith(rule: FaultRule, options: ServerOptions = {}): Promise<Server> {
  const server = await openServer({ ...SHOP, ...options })
  server.petstore.faults.add(rule)
  return server
}

/** A connection that records the parts in which bytes arrive, and how it ends. */
interface PartsConnection {
  readonly socket: Socket
  readonly parts: string[]
  /** Waits for this text. Resolves with everything that has arrived. */
  waitFor(text: string): Promise<string>
  /** Waits until the connection is closed by either side. */
  waitForEnd(): Promise<{ text: string; error?: string }>
}

async function openPartsConnection(port: number): Promise<PartsConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  onTestFinished(() => void socket.destroy())
  const parts: string[] = []
  let error: string | undefined
  socket.setEncoding('latin1').on('data', (part: string) => parts.push(part))
  socket.on('error', (reason: NodeJS.ErrnoException) => {
    error = reason.code
  })
  await new Promise<void>((resolve) => void socket.once('connect', resolve))
  return {
    socket,
    parts,
    async waitFor(text) {
      await vi.waitFor(() => expect(parts.join('')).toContain(text), { timeout: 30_000, interval: 5 })
      return parts.join('')
    },
    async waitForEnd() {
      if (!socket.closed) await new Promise((resolve) => void socket.once('close', resolve))
      return { text: parts.join(''), ...(error !== undefined && { error }) }
    },
  }
}

/** Closes the server, and expects that it waits for no response and leaves no timer behind. */
async function expectNothingLeft(server: Server): Promise<void> {
  await closeIdleServer(server)
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout')
  const deadline = performance.now() + 30_000
  while (timers().length > 0 && performance.now() < deadline) await setImmediate()
  expect(timers()).toEqual([])
  // Only the timer that limits how long a server waits for responses would call it.
  expect(HttpServer.prototype.closeAllConnections).not.toHaveBeenCalled()
}
