import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const GIVE_UP_MS = 60_000
const RETRY_MS = 1
const TICK_MS = 10

/** How a server is started. `{port}` in an argument is the port it gets. */
export interface Command {
  readonly args: readonly string[]
  /** The Node it runs on, unless it is the one that measures. */
  readonly node?: string
  readonly cwd?: string
  /** Whether it has to say what memory it holds. */
  readonly reportsMemory?: boolean
}

export interface Running {
  readonly pid: number
  readonly port: number
  /** From the spawn to the first answer. */
  readonly startMs: number
  /** With the garbage collected; only where it reports it. */
  memory(): Promise<NodeJS.MemoryUsage>
  stop(): Promise<void>
}

export const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export const builtCommand = here('../dist/cli.js')

/** How to end each server that runs; whoever measures may fail or be interrupted. */
const running = new Set<() => void>()
process.once('exit', () => {
  for (const end of running) end()
})

/** Starts a server, and waits until it has answered a request for a pet. */
export async function start({ args, node = process.execPath, cwd, reportsMemory = false }: Command): Promise<Running> {
  const port = await findFreePort()
  const filled = args.map((argument) => argument.replace('{port}', String(port)))
  const loaded = reportsMemory ? ['--expose-gc', '--import', here('servers/report-memory.mjs')] : []
  const startedAt = performance.now()
  const child = spawn(node, [...loaded, ...filled], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe', ...(reportsMemory ? (['ipc'] as const) : [])],
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    said = `${said}${text}`.slice(-2000)
  })
  const end = () => void child.kill('SIGKILL')
  running.add(end)
  const gone = once(child, 'exit').finally(() => running.delete(end))
  const ended = gone.then(([code]) => {
    throw new Error(`it ended with code ${code}: ${said.trim().split('\n').at(-1)}`)
  })
  try {
    await Promise.race([answered(port), ended])
  } catch (error) {
    end()
    throw error
  }
  ended.catch(() => {})
  const stop = async () => {
    end()
    await gone
  }
  const startMs = performance.now() - startedAt
  const memory = async () => {
    child.send('memory')
    const [usage] = (await once(child, 'message')) as [NodeJS.MemoryUsage]
    return usage
  }
  return { pid: child.pid as number, port, startMs, memory, stop }
}

/** Asks again and again until somebody is there, so that no server has to say when it is ready. */
async function answered(port: number): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS
  let heard = ''
  while (!heard.startsWith('HTTP/1.1 200 ')) {
    if (performance.now() > giveUpAt)
      throw new Error(`it did not answer GET /pets/1 with 200, but ${heard || 'nothing'}`)
    heard = await tryOnce(port)
    if (heard === '') await pause(RETRY_MS)
  }
}

function tryOnce(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => socket.write('GET /pets/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'))
    socket.once('data', (part) => {
      resolve(part.toString('latin1', 0, 40).split('\r\n')[0] ?? '')
      socket.destroy()
    })
    socket.once('error', () => resolve(''))
    socket.once('close', () => resolve(''))
  })
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** What a process has used of all cores so far; nothing where the system does not say. */
export function cpuMsOf(pid: number): number | undefined {
  if (!existsSync(`/proc/${pid}/stat`)) return undefined
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** The resident memory of a process; nothing where the system does not say. */
export function residentBytesOf(pid: number): number | undefined {
  if (!existsSync(`/proc/${pid}/status`)) return undefined
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}
