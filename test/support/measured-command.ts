import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { onTestFinished, vi } from 'vitest'
import { COMMAND_FILE, inheritedVariables } from './command.js'

const MONITOR = fileURLToPath(new URL('./stall-monitor.mjs', import.meta.url))

export interface Measured<T> {
  readonly result: T
  /** The longest turn of the server's event loop, in milliseconds of processor time: how long others had to wait. */
  readonly longestTurn: number
  /** How many requests of another client, on one connection, were answered meanwhile. */
  readonly answered: number
}

/** Starts the built command with a monitor of its event loop. It is killed when the running test ends. Linux only. */
export async function startMeasuredCommand(args: readonly string[]) {
  const child = spawn(process.execPath, ['--import', MONITOR, COMMAND_FILE, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: inheritedVariables(),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text))
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })

  const printed = (pattern: RegExp): Promise<RegExpExecArray> =>
    vi.waitFor(
      () => {
        const match = pattern.exec(output)
        if (match === null) throw new Error(`Not printed: ${pattern}. Printed: ${output.slice(-2000)}`)
        return match
      },
      { timeout: 100_000 },
    )
  const [, port] = await printed(/http:\/\/127\.0\.0\.1:(\d+)/)

  return {
    printed,
    send: (method: string, path: string, body?: Uint8Array) => send(Number(port), method, path, { body }),
    /** Measures the event loop while `act` runs, and sends requests to a sandbox. Rejects if one of them fails. */
    async measure<T>(act: () => Promise<T>): Promise<Measured<T>> {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      let isDone = false
      let answered = 0
      const others = async () => {
        while (!isDone) {
          const { status, isReused } = await send(Number(port), 'GET', '/sandbox/other/pets/1', { agent })
          if (status !== 200) throw new Error(`The other client received ${status}.`)
          if (answered > 0 && !isReused) throw new Error('The connection of the other client was closed.')
          answered += 1
        }
      }
      // The sandbox is created before measuring.
      await send(Number(port), 'GET', '/sandbox/other/pets/1')
      const report = once(child, 'message')
      child.send('start')
      const [result] = await Promise.all([act().finally(() => (isDone = true)), others()])
      child.send('stop')
      const [{ longest }] = (await report) as [{ longest: number }]
      agent.destroy()
      return { result, longestTurn: longest, answered }
    },
  }
}

interface Received {
  readonly status: number | undefined
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: Buffer
  /** Whether an earlier request was sent on the same connection. */
  readonly isReused: boolean
}

function send(
  port: number,
  method: string,
  path: string,
  { body, agent }: { body?: Uint8Array | undefined; agent?: Agent } = {},
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const headers = body ? { 'content-type': 'application/json', 'content-length': body.length } : {}
    const sent = request({ host: '127.0.0.1', port, method, path, headers, ...(agent && { agent }) }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status, headers } = response
        resolve({ status, headers, body: Buffer.concat(chunks), isReused: sent.reusedSocket })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
