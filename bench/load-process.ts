/**
 * The client, in a separate process: open connections with one pending request each, over plain sockets and with requests
 * prepared in advance. It is cheaper than any server, so that the server is the bottleneck.
 */
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Step } from './cases.js'
import type { Budget, LoadOrder, LoadResult } from './load.js'
import { openStreams, sendOnStreams } from './load-streams.js'
import { findFrame } from './response-frame.js'

interface Prepared extends Step {
  /** Undefined if the target needs an id. */
  readonly bytes?: Buffer
}

// The parent process has exited.
process.on('disconnect', () => process.exit())

process.on('message', async (order: LoadOrder) => {
  process.send?.(await work(order).catch((error: Error) => ({ problem: error.message })))
})

async function work(order: LoadOrder): Promise<LoadResult> {
  const connections = await Promise.all(Array.from({ length: order.connections }, () => openConnection(order)))
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  const budget: Budget = {
    deadline: startedAt + (order.forMs ?? Infinity),
    left: order.requests ?? Infinity,
    done: 0,
    durations: [],
  }
  try {
    await Promise.all(connections.map(({ send }) => send(budget)))
  } finally {
    for (const { socket } of connections) socket.destroy()
  }
  const ms = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpu)
  const durations = Float64Array.from(budget.durations).sort()
  const meanMs = durations.reduce((sum, each) => sum + each, 0) / durations.length
  const p99Ms = durations[Math.floor(durations.length * 0.99)] ?? Number.NaN
  return { requests: budget.done, ms, cpuMs: (user + system) / 1000, meanMs, p99Ms }
}

interface Sender {
  readonly socket: Socket
  /** Sends requests until the budget is used up. */
  send(budget: Budget): Promise<void>
}

async function openConnection({ port, steps, tls }: LoadOrder): Promise<Sender> {
  if (tls?.streams !== undefined) {
    const { ca, streams } = tls
    const socket = await openStreams(port, ca)
    return { socket, send: (budget) => sendOnStreams(socket, steps[0] as Step, streams, budget) }
  }
  const connection = await (tls ? openEncrypted(port, tls.ca) : open(port))
  const prepared = steps.map((step) => (step.target.includes('{id}') ? step : { ...step, bytes: toBytes(step) }))
  return { socket: connection.socket, send: (budget) => sendAll(connection, prepared, budget) }
}

interface Connection {
  readonly socket: Socket
  receive(part: Buffer): void
  fail(error: Error): void
}

function open(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const connection: Connection = {
      // One buffer for all data, instead of a new one for each response.
      socket: connect({
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer: Buffer.allocUnsafe(65_536),
          callback: (length, buffer) => {
            connection.receive(Buffer.from(buffer.buffer, buffer.byteOffset, length))
            return true
          },
        },
      }),
      receive: () => {},
      fail: reject,
    }
    connection.socket.once('connect', () => resolve(connection))
    connection.socket.once('error', (error) => connection.fail(error))
    connection.socket.once('close', () => connection.fail(new Error('The server closed a connection.')))
  })
}

function openEncrypted(port: number, ca: string): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ port, host: 'localhost', ca })
    const connection: Connection = { socket, receive: () => {}, fail: reject }
    socket.setNoDelay()
    socket.on('data', (part) => connection.receive(part))
    socket.once('secureConnect', () => resolve(connection))
    socket.once('error', (error) => connection.fail(error))
    socket.once('close', () => connection.fail(new Error('The server closed a connection.')))
  })
}

/** Repeats the steps until the time or the number of requests is used up. Always completes the last round. */
function sendAll(connection: Connection, steps: readonly Prepared[], budget: Budget): Promise<void> {
  return new Promise((resolve, reject) => {
    let [at, id, sentAt] = [0, '', 0]
    let incomplete: Buffer | undefined
    const send = () => {
      const step = steps[at] as Prepared
      budget.left -= 1
      sentAt = performance.now()
      connection.socket.write(step.bytes ?? toBytes({ ...step, target: step.target.replace('{id}', id) }))
    }
    connection.fail = reject
    connection.receive = (part) => {
      const bytes = incomplete === undefined ? part : Buffer.concat([incomplete, part])
      const frame = findFrame(bytes)
      // The buffer of the connection is overwritten by the next data.
      if (frame === undefined) {
        incomplete = incomplete === undefined ? Buffer.from(part) : bytes
        return
      }
      incomplete = undefined
      const step = steps[at] as Prepared
      if (frame.status !== step.status) {
        return reject(new Error(`${step.method} ${step.target} returned ${frame.status} instead of ${step.status}.`))
      }
      if (step.status === 201)
        id = /"id": ?"?([\w-]+)/.exec(bytes.toString('latin1', frame.bodyStart, frame.end))?.[1] ?? ''
      budget.done += 1
      budget.durations.push(performance.now() - sentAt)
      at = (at + 1) % steps.length
      if (at === 0 && (budget.left <= 0 || performance.now() >= budget.deadline)) return resolve()
      send()
    }
    send()
  })
}

function toBytes({ method, target, body }: Step): Buffer {
  const bodyHeaders =
    body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n${bodyHeaders}\r\n${body ?? ''}`,
  )
}
