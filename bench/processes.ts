import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const START_TIMEOUT_MS = 60_000
const RETRY_MS = 1

/** How a server is started. `{port}` in an argument is the port it gets. */
export interface Command {
  readonly args: readonly string[]
  /** The Node executable, if it is not the current one. */
  readonly node?: string
  readonly cwd?: string
  /** Whether it is ready when it accepts a connection: it has no pet to ask for, or accepts TLS only. */
  readonly isReadyWhenItAccepts?: boolean
  /** Whether it must report its memory use. */
  readonly reportsMemory?: boolean
  /** Whether it must report the turns of its event loop. */
  readonly reportsTurns?: boolean
}

export interface Running {
  readonly pid: number
  readonly port: number
  /** The time from the spawn to the first response. */
  readonly startMs: number
  /** The memory use after garbage collection, if `reportsMemory` is set. */
  memory(): Promise<NodeJS.MemoryUsage>
  /**
   * The longest turn of its event loop while `act` runs, in milliseconds of processor time, if `reportsTurns` is set: how
   * long other clients had to wait. Linux only.
   */
  longestTurn(act: () => Promise<void>): Promise<number>
  stop(): Promise<void>
}

export const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export const builtCommand = here('../dist/cli.js')

/** Functions that end the running servers, in case the benchmark fails or is interrupted. */
const running = new Set<() => void>()
process.once('exit', () => {
  for (const end of running) end()
})

/** Starts a server, and waits until it responds to a request for a pet. */
export async function start(command: Command): Promise<Running> {
  const {
    args,
    node = process.execPath,
    cwd,
    isReadyWhenItAccepts = false,
    reportsMemory = false,
    reportsTurns = false,
  } = command
  const port = await findFreePort()
  const filled = args.map((argument) => argument.replace('{port}', String(port)))
  const loaded = [
    ...(reportsMemory ? ['--expose-gc', '--import', here('servers/report-memory.mjs')] : []),
    ...(reportsTurns ? ['--import', here('../test/support/stall-monitor.mjs')] : []),
  ]
  const startedAt = performance.now()
  const child = spawn(node, [...loaded, ...filled], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe', ...(loaded.length > 0 ? (['ipc'] as const) : [])],
  })
  let errorOutput = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    errorOutput = `${errorOutput}${text}`.slice(-2000)
  })
  const end = () => void child.kill('SIGKILL')
  running.add(end)
  const exited = once(child, 'exit').finally(() => running.delete(end))
  const failed = exited.then(([code]) => {
    throw new Error(`The server exited with code ${code}: ${errorOutput.trim().split('\n').at(-1)}`)
  })
  try {
    await Promise.race([isReadyWhenItAccepts ? accepts(port) : responds(port), failed])
  } catch (error) {
    end()
    throw error
  }
  failed.catch(() => {})
  const stop = async () => {
    end()
    await exited
  }
  const startMs = performance.now() - startedAt
  const memory = async () => {
    child.send('memory')
    const [usage] = (await once(child, 'message')) as [NodeJS.MemoryUsage]
    return usage
  }
  const longestTurn = async (act: () => Promise<void>) => {
    child.send('start')
    await act()
    child.send('stop')
    const [{ longest }] = (await once(child, 'message')) as [{ longest: number }]
    return longest
  }
  return { pid: child.pid as number, port, startMs, memory, longestTurn, stop }
}

/** Polls until the server responds, so that no server has to report when it is ready. */
async function responds(port: number): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS
  let statusLine = ''
  while (!statusLine.startsWith('HTTP/1.1 200 ')) {
    if (performance.now() > deadline)
      throw new Error(`The server did not return 200 for GET /pets/1. Received: ${statusLine || 'nothing'}`)
    statusLine = await tryOnce(port)
    if (statusLine === '') await pause(RETRY_MS)
  }
}

async function accepts(port: number): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1' })
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    if (performance.now() > deadline) throw new Error('The server did not accept a connection.')
    await pause(RETRY_MS)
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

/** The processor time of a process so far, of all its threads; undefined if the system does not report it. */
export function cpuMsOf(pid: number): number | undefined {
  const folder = `/proc/${pid}/task`
  if (!existsSync(`/proc/${pid}/schedstat`)) return undefined
  // Not /proc/<pid>/stat, which counts in steps of 10 ms.
  const nanoseconds = readdirSync(folder).map((thread) =>
    Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}

/** The resident memory of a process; undefined if the system does not report it. */
export function residentBytesOf(pid: number): number | undefined {
  return readStatus(pid, 'VmRSS')
}

function readStatus(pid: number, field: string): number | undefined {
  if (!existsSync(`/proc/${pid}/status`)) return undefined
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}

/** Makes `mostResidentBytesOf` start again. */
export function forgetMostResident(pid: number): void {
  if (existsSync(`/proc/${pid}/clear_refs`)) writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** The most resident memory that a process has had; undefined if the system does not report it. */
export function mostResidentBytesOf(pid: number): number | undefined {
  return readStatus(pid, 'VmHWM')
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms))
}
