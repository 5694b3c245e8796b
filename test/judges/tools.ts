import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setInterval } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../support/find-free-port.js'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const HERE = fileURLToPath(new URL('./', import.meta.url))

/** Disables telemetry, update checks and colours. */
const QUIET = {
  NO_COLOR: '1',
  FORCE_COLOR: '0',
  CI: 'true',
  NO_UPDATE_NOTIFIER: '1',
}

/** The time limit of a tool. */
const TIMEOUT_MS = 600_000

/** Between two attempts to reach a tool that does not print when it listens. */
const POLL_MS = 100

const children = new Set<ChildProcess>()
// All started processes end with the judges.
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  /** Standard output and standard error. */
  readonly output: string
}

/** Runs a command to its end. Its output goes to a file, because some tools exit before a pipe has received a long report. */
export function run(command: string, args: readonly string[], cwd: string = ROOT): Promise<Outcome> {
  return inFolder(async (folder) => {
    const file = join(folder, 'stdout')
    const descriptor = openSync(file, 'w')
    const child = start(command, args, cwd, descriptor)
    closeSync(descriptor)
    const timeout = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS)
    let stderr = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    clearTimeout(timeout)
    const stdout = readFileSync(file, 'utf8')
    return { code, stdout, output: stdout + stderr }
  })
}

/** Runs one of the tools installed in this folder. */
export function runTool(name: string, args: readonly string[], cwd?: string): Promise<Outcome> {
  return run(process.execPath, [toolPath(name), ...args], cwd)
}

/** The file of a tool, because npx would download a missing one. */
function toolPath(name: string): string {
  return join(HERE, 'node_modules/.bin', name)
}

function start(command: string, args: readonly string[], cwd: string, stdout: number | 'pipe' = 'pipe'): ChildProcess {
  const env = { ...process.env, ...QUIET }
  const child = spawn(command, [...args], { cwd, env, stdio: ['ignore', stdout, 'pipe'] })
  children.add(child)
  child.once('close', () => children.delete(child))
  return child
}

export interface Running {
  readonly url: string
  stop(): Promise<void>
}

/** Starts the built server on a free port, which it prints when it is ready. */
export async function startServer(): Promise<Running> {
  const child = start(process.execPath, ['dist/cli.js', '--port', '0', '--quiet', '--log-format', 'json'], ROOT)
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const ready = /"event":"ready","url":"([^"]+)"/.exec(text)?.[1]
      if (ready) resolve(ready)
    })
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
    child.once('close', (code) => reject(new Error(`The server exited with ${code} before it was ready: ${text}`)))
  })
  return { url, stop: () => stop(child) }
}

/** Starts a tool with a server, and polls until it responds. */
export async function startListeningTool(name: string, args: (port: number) => readonly string[]): Promise<Running> {
  const port = await findFreePort()
  const child = start(process.execPath, [toolPath(name), ...args(port)], ROOT)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-2000)
    })
  }
  const url = `http://127.0.0.1:${port}`
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  for await (const _ of setInterval(POLL_MS)) {
    const { exitCode, signalCode } = child
    const ended = exitCode ?? signalCode ?? (timeout.aborted ? 'a timeout' : undefined)
    if (ended !== undefined) {
      child.kill('SIGKILL')
      throw new Error(`${name} ended with ${ended} before it listened: ${text}`)
    }
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isUp) break
  }
  return { url, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  const timeout = setTimeout(() => child.kill('SIGKILL'), 30_000)
  await ended
  clearTimeout(timeout)
}

/** Runs a function with a temporary folder. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-judges-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
