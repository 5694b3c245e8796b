import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../support/find-free-port.js'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
export const HERE = fileURLToPath(new URL('./', import.meta.url))

/** The tools report to nobody, look for no newer version of themselves, and print no colours. */
const QUIET = {
  NO_COLOR: '1',
  FORCE_COLOR: '0',
  CI: 'true',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  NO_UPDATE_NOTIFIER: '1',
}

/** How long a tool may take before it counts as hanging. */
const PATIENCE_MS = 240_000

const children = new Set<ChildProcess>()
// Nothing that was started outlives the judges, however they end.
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  /** The same with what it complained about. */
  readonly output: string
}

/** Runs a command to its end. It prints into a file: some tools end before a pipe has taken all of a long report. */
export function run(command: string, args: readonly string[], cwd: string = ROOT): Promise<Outcome> {
  return inFolder(async (folder) => {
    const file = join(folder, 'stdout')
    const descriptor = openSync(file, 'w')
    const child = start(command, args, cwd, descriptor)
    closeSync(descriptor)
    const patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    let stderr = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', resolve)
    })
    clearTimeout(patience)
    const stdout = readFileSync(file, 'utf8')
    return { code, stdout, output: stdout + stderr }
  })
}

/** Runs one of the tools installed beside this file; `redocly` is one of the project's own. */
export function runTool(name: string, args: readonly string[], cwd?: string): Promise<Outcome> {
  return run(process.execPath, [toolPath(name), ...args], cwd)
}

/** By its file and not by npx, which would look for what is missing elsewhere. */
function toolPath(name: string): string {
  return join(name === 'redocly' ? ROOT : HERE, 'node_modules/.bin', name)
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

/** Starts the built server on a free port. Its ready line says where. */
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
    child.once('close', (code) => reject(new Error(`the server ended with ${code} before it was ready: ${text}`)))
  })
  return { url, stop: () => stop(child) }
}

/** Starts a tool that listens, and waits until it answers at all. */
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
  const patience = AbortSignal.timeout(PATIENCE_MS)
  for (;;) {
    const { exitCode, signalCode } = child
    const ended = exitCode ?? signalCode ?? (patience.aborted ? 'patience' : undefined)
    if (ended !== undefined) {
      child.kill('SIGKILL')
      throw new Error(`${name} ended with ${ended} before it listened: ${text}`)
    }
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isUp) return { url, stop: () => stop(child) }
    await sleep(100)
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  const patience = setTimeout(() => child.kill('SIGKILL'), 5000)
  await ended
  clearTimeout(patience)
}

/** Lends a folder that is gone afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-mock-judges-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
