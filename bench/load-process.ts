/**
 * The client, in a process of its own: connections that stay open, each with one request under way, over plain sockets
 * with requests that were written out before. It costs less than any server, so that the server is what is measured.
 */
import { connect, type Socket } from 'node:net'
import { findFrame } from './answers.js'
import type { Step } from './cases.js'
import type { LoadOrder, LoadResult } from './load.js'

interface Prepared extends Step {
  /** Nothing when the target needs an id. */
  readonly bytes?: Buffer
}

// Whoever asked is gone.
process.on('disconnect', () => process.exit())

process.on('message', async (order: LoadOrder) => {
  process.send?.(await work(order).catch((error: Error) => ({ problem: error.message })))
})

async function work(order: LoadOrder): Promise<LoadResult> {
  const steps = order.steps.map((step) => (step.target.includes('{id}') ? step : { ...step, bytes: toBytes(step) }))
  const lines = await Promise.all(Array.from({ length: order.connections }, () => open(order.port)))
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  const budget = { deadline: startedAt + (order.forMs ?? Infinity), left: order.requests ?? Infinity, done: 0 }
  try {
    await Promise.all(lines.map((line) => ask(line, steps, budget)))
  } finally {
    for (const line of lines) line.socket.destroy()
  }
  const ms = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpu)
  return { requests: budget.done, ms, cpuMs: (user + system) / 1000 }
}

interface Line {
  readonly socket: Socket
  hear(part: Buffer): void
  fail(error: Error): void
}

function open(port: number): Promise<Line> {
  return new Promise((resolve, reject) => {
    const line: Line = {
      // One buffer for all that is read, instead of a new one for every answer.
      socket: connect({
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer: Buffer.allocUnsafe(65_536),
          callback: (length, buffer) => {
            line.hear(Buffer.from(buffer.buffer, buffer.byteOffset, length))
            return true
          },
        },
      }),
      hear: () => {},
      fail: reject,
    }
    line.socket.once('connect', () => resolve(line))
    line.socket.once('error', (error) => line.fail(error))
    line.socket.once('close', () => line.fail(new Error('the server closed a connection')))
  })
}

interface Budget {
  readonly deadline: number
  left: number
  done: number
}

/** Asks step after step, round and round, until time or number is used up. Always ends with a round. */
function ask(line: Line, steps: readonly Prepared[], budget: Budget): Promise<void> {
  return new Promise((resolve, reject) => {
    let [at, id] = [0, '']
    let kept: Buffer | undefined
    const send = () => {
      const step = steps[at] as Prepared
      budget.left -= 1
      line.socket.write(step.bytes ?? toBytes({ ...step, target: step.target.replace('{id}', id) }))
    }
    line.fail = reject
    line.hear = (part) => {
      const bytes = kept === undefined ? part : Buffer.concat([kept, part])
      const frame = findFrame(bytes)
      // The buffer of the connection is written over by what comes next.
      if (frame === undefined) {
        kept = kept === undefined ? Buffer.from(part) : bytes
        return
      }
      kept = undefined
      const step = steps[at] as Prepared
      if (frame.status !== step.status) {
        return reject(new Error(`${step.method} ${step.target} was answered with ${frame.status}, not ${step.status}`))
      }
      if (step.status === 201)
        id = /"id": ?"?([\w-]+)/.exec(bytes.toString('latin1', frame.bodyStart, frame.end))?.[1] ?? ''
      budget.done += 1
      at = (at + 1) % steps.length
      if (at === 0 && (budget.left <= 0 || performance.now() >= budget.deadline)) return resolve()
      send()
    }
    send()
  })
}

function toBytes({ method, target, body }: Step): Buffer {
  const about =
    body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n${about}\r\n${body ?? ''}`)
}
