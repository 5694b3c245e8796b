import { connect, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RequestRecord, ServerOptions } from '../../src/adapters/server/index.js'
import type { FaultRule } from '../../src/index.js'
import { shop } from '../support/client.js'
import { VERY_LONG_MS } from '../support/faults.js'
import { closeInTime, expectServerResponds, openConnection, openServer, toHttpText } from '../support/raw-connection.js'

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
  it('breaks the connection with a RST and not a byte', async () => {
    const server = await openWith({ kind: 'reset' })
    const wire = await openRaw(server.port)
    wire.socket.write(GET)
    expect(await wire.end()).toEqual({ text: '', error: 'ECONNRESET' })
  })

  it('comes in its turn behind answers on the same connection, and ends those behind it', async () => {
    const server = await openWith({ kind: 'reset', operation: 'createPet' })
    const wire = await openRaw(server.port)
    wire.socket.write(GET)
    await wire.until(BODY)
    wire.socket.write(CREATE + GET)
    expect(await wire.end()).toMatchObject({ error: 'ECONNRESET' })
    expect(server.petstore.journal.entries().map(({ operation }) => operation)).toEqual(['getPet', 'createPet'])
    expect(server.petstore.data.pets.all()).toHaveLength(1)
  })

  it('is logged as no answer', async () => {
    const records: RequestRecord[] = []
    const server = await openWith({ kind: 'reset' }, { onRequest: (record) => records.push(record) })
    await expect(server.fetch('/pets/1')).rejects.toThrow('fetch failed')
    expect(records).toMatchObject([{ operation: 'getPet', status: 0, failure: undefined }])
    await closeInTime(server)
  })
})

describe('timeout', () => {
  it('leaves the connection open until the client goes', async () => {
    const server = await openWith({ kind: 'timeout', times: 1 })
    const wire = await openRaw(server.port)
    wire.socket.write(GET)
    await vi.waitFor(() => expect(server.petstore.journal.total).toBe(1))
    await expectServerResponds(server)
    expect(wire.socket.readyState).toBe('open')
    wire.socket.destroy()
    expect(await wire.end()).toEqual({ text: '' })
    await expectNothingLeft(server)
  })

  it('keeps what comes behind it on the same connection waiting', async () => {
    const server = await openWith({ kind: 'timeout', times: 1 })
    const wire = await openRaw(server.port)
    wire.socket.write(GET + CREATE)
    await vi.waitFor(() => expect(server.petstore.journal.total).toBe(1))
    await expectServerResponds(server)
    wire.socket.destroy()
    await expectNothingLeft(server)
    expect(server.petstore.data.pets.all()).toHaveLength(1)
  })
})

describe('truncate', () => {
  it('announces the whole length, sends the first half and hangs up', async () => {
    const server = await openWith({ kind: 'truncate' })
    const wire = await openRaw(server.port)
    wire.socket.write(GET)
    const { text } = await wire.end()
    const [head, body] = text.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(head).toContain(`\r\nContent-Length: ${BODY.length}\r\n`)
    expect(head).toContain('\r\nDeprecation: @')
    expect(body).toBe(BODY.slice(0, Math.floor(BODY.length / 2)))
  })

  it('sends the half of a body that does not fit into one packet', async () => {
    const server = await openWith({ kind: 'truncate' })
    const names = Array.from({ length: 100 }, (_, index) => ({ name: `${index} ${'ö'.repeat(60)}`, categoryId: 1 }))
    for (const pet of names) server.petstore.data.pets.create(pet)
    const wire = await openRaw(server.port)
    wire.socket.write(toHttpText(['GET /pets?limit=100 HTTP/1.1', HOST]))
    const { bytes } = await wire.end()
    const headEnd = bytes.indexOf('\r\n\r\n') + 4
    const announced = Number(/content-length: (\d+)/i.exec(bytes.toString('latin1', 0, headEnd))?.[1])
    expect(announced).toBeGreaterThan(10_000)
    expect(bytes.length - headEnd).toBe(Math.floor(announced / 2))
  })

  it('ends the connection, whatever waits behind it', async () => {
    const server = await openWith({ kind: 'truncate', times: 1 })
    const wire = await openRaw(server.port)
    wire.socket.write(GET + CREATE)
    await wire.end()
    await expectNothingLeft(server)
    expect(server.petstore.data.pets.all()).toHaveLength(1)
  })
})

describe('malformed', () => {
  it('keeps the connection for the next answer', async () => {
    const server = await openWith({ kind: 'malformed', times: 1 })
    const wire = await openRaw(server.port)
    wire.socket.write(GET)
    expect(await wire.until(`${BODY.slice(0, -1)},`)).toContain(`Content-Length: ${BODY.length}`)
    wire.socket.write(GET)
    await wire.until(BODY)
  })
})

describe('slow', () => {
  it('sends the body in more than one part, and the next answer behind it', async () => {
    const server = await openWith({ kind: 'slow', delayMs: 70, times: 1 })
    const wire = await openRaw(server.port)
    wire.socket.write(GET + LIST)
    const text = await wire.until('Cats')
    expect(wire.parts.filter((part) => !part.includes('HTTP/1.1'))).not.toEqual([])
    expect(text).toContain(`\r\n\r\n${BODY}HTTP/1.1 200 OK\r\n`)
  })

  it('sends its head and first part at once, and no more to a client that has gone', async () => {
    const server = await openWith({ kind: 'slow', delayMs: VERY_LONG_MS, times: 1 })
    const wire = await openRaw(server.port)
    wire.socket.write(GET)
    const first = BODY.slice(0, Math.floor(BODY.length / 8))
    expect(await wire.until(`\r\n\r\n${first}`)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    await expectServerResponds(server)
    expect(wire.parts.join('').endsWith(first)).toBe(true)
    wire.socket.destroy()
    await expectNothingLeft(server)
  })
})

describe('delay', () => {
  it('answers later on the same connection, after what was done at once', async () => {
    const server = await openWith({ delayMs: 50, times: 1 })
    const wire = await openConnection(server.port)
    wire.send(CREATE + GET)
    await vi.waitFor(() => expect(server.petstore.data.pets.all()).toHaveLength(2))
    expect(await wire.response()).toMatchObject({ status: 201, body: { name: 'Bo' } })
    expect(await wire.response()).toMatchObject({ status: 200, body: { name: 'Rex' } })
  })

  it('leaves no timer behind for a client that goes away', async () => {
    const server = await openWith({ delayMs: VERY_LONG_MS, times: 3 })
    const wires = await Promise.all([1, 2, 3].map(() => openRaw(server.port)))
    for (const { socket } of wires) socket.write(CREATE)
    await vi.waitFor(() => expect(server.petstore.data.pets.all()).toHaveLength(4))
    for (const { socket } of wires) socket.destroy()
    await expectNothingLeft(server)
    expect(server.petstore.data.pets.all()).toHaveLength(4)
  })

  it('is waited for by close, which delivers the answer and hangs up', async () => {
    const server = await openWith({ delayMs: 200 })
    const wire = await openConnection(server.port)
    wire.send(CREATE)
    await vi.waitFor(() => expect(server.petstore.data.pets.all()).toHaveLength(2))
    const closing = server.close()
    const answers = await wire.rest()
    expect(answers).toMatchObject([{ status: 201, body: { name: 'Bo' } }])
    expect(answers[0]?.headers.get('connection')).toBe('close')
    await closing
  })
})

describe('who may not ask', () => {
  it('is told so, and meets no rule', async () => {
    const server = await openWith({ kind: 'reset' })
    const wire = await openConnection(server.port)
    wire.send(toHttpText(['GET /pets HTTP/1.1', 'Host: evil.example', 'Prefer: code=503']))
    expect((await wire.response()).status).toBe(421)
    expect(server.petstore.faults.list()).toMatchObject([{ matched: 0 }])
  })
})

describe('a page of another origin', () => {
  const headers = { origin: 'http://localhost:5173', prefer: 'code=503' }

  it('may read what a fault or Prefer answers', async () => {
    const server = await openWith({ operation: 'listCategories', status: 429 })
    const preferred = await server.fetch('/pets', { headers })
    expect([preferred.status, preferred.headers.get('access-control-allow-origin')]).toEqual([503, headers.origin])
    expect(preferred.headers.get('access-control-expose-headers')).toContain('Preference-Applied')
    const failed = await server.fetch('/categories', { headers: { origin: headers.origin } })
    expect([failed.status, failed.headers.get('access-control-allow-origin')]).toEqual([429, headers.origin])
  })

  it('may ask with Prefer, and its preflight meets no rule', async () => {
    const server = await openWith({ kind: 'reset' })
    const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'prefer' }
    const preflight = await server.fetch('/pets', { method: 'OPTIONS', headers: { origin: headers.origin, ...asked } })
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([204, 'prefer'])
  })
})

type Server = Awaited<ReturnType<typeof openServer>>

async function openWith(rule: FaultRule, options: ServerOptions = {}): Promise<Server> {
  const server = await openServer({ ...SHOP, ...options })
  server.petstore.faults.add(rule)
  return server
}

/** A connection as it is: what arrives in which parts, and how it ends. */
interface RawWire {
  readonly socket: Socket
  readonly parts: string[]
  /** All that has come, once this text is among it. */
  until(text: string): Promise<string>
  /** Waits for the end, whoever brings it. */
  end(): Promise<{ text: string; bytes: Buffer; error?: string }>
}

async function openRaw(port: number): Promise<RawWire> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  onTestFinished(() => void socket.destroy())
  const chunks: Buffer[] = []
  const parts: string[] = []
  let error: string | undefined
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    parts.push(chunk.toString('latin1'))
  })
  socket.on('error', (reason: NodeJS.ErrnoException) => {
    error = reason.code
  })
  await new Promise<void>((resolve) => void socket.once('connect', resolve))
  return {
    socket,
    parts,
    async until(text) {
      await vi.waitFor(() => expect(parts.join('')).toContain(text), { timeout: 10_000, interval: 5 })
      return parts.join('')
    },
    async end() {
      if (!socket.closed) await new Promise((resolve) => void socket.once('close', resolve))
      const bytes = Buffer.concat(chunks)
      const end = { text: bytes.toString(), ...(error !== undefined && { error }) }
      return Object.defineProperty(end, 'bytes', { value: bytes, enumerable: false }) as typeof end & { bytes: Buffer }
    },
  }
}

/** The server closes without its patience for answers in flight, and nothing of it is left that could still happen. */
async function expectNothingLeft(server: Server): Promise<void> {
  await closeInTime(server)
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout')
  const deadline = performance.now() + 4000
  while (timers().length > 0 && performance.now() < deadline) await setImmediate()
  expect(timers()).toEqual([])
}
