import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import {
  BUN,
  DENO,
  installRuntime,
  programOf,
  RUNTIME_VARIABLES,
  type Runtime,
} from '../../scripts/install-runtimes.js'
import { inheritedVariables } from './command.js'

export const RUNTIMES: readonly Runtime[] = [BUN, DENO]

/**
 * Installs Bun and Deno, and returns whether the tests that need them can run. Says so if they cannot;
 * `CI_RUNTIMES=required` makes that a failure.
 */
export async function hasRuntimes(): Promise<boolean> {
  try {
    await Promise.all(RUNTIMES.map(installRuntime))
    return true
  } catch (error) {
    const reason = (error as Error).message
    if (process.env.CI_RUNTIMES === 'required') throw new Error(`Tests on Bun and Deno cannot run: ${reason}`)
    console.log(`Tests on Bun and Deno skipped: ${reason}`)
    return false
  }
}

/** A command line up to the name of a script. */
export type Launcher = readonly [file: string, ...args: string[]]

export const NODE: Launcher = [process.execPath]

/** Starts scripts with all permissions. */
export function launcherOf(runtime: Runtime): Launcher {
  return [programOf(runtime), ...runtime.runArgs]
}

/** The environment of the tests without the variables that would change what a command prints. */
export const environment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(inheritedVariables()).filter(([name]) => !/^(?:VITE|NODE_ENV$|TEST$)/.test(name)),
  ),
  ...RUNTIME_VARIABLES,
  DENO_NO_PROMPT: '1',
  NO_COLOR: '1',
}

export interface Output {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const MAX_OUTPUT_BYTES = 64 * 1_048_576

/** Runs a program to its end. */
export async function runToEnd([file, ...args]: Launcher, cwd: string, variables = {}): Promise<Output> {
  const options = { cwd, env: { ...environment, ...variables }, maxBuffer: MAX_OUTPUT_BYTES }
  try {
    return { code: 0, ...(await promisify(execFile)(file, args, options)) }
  } catch (error) {
    const { code, stdout, stderr } = error as Output
    if (typeof code !== 'number') throw error
    return { code, stdout, stderr }
  }
}

export interface RunningServer {
  readonly url: string
  /** Stops it with a signal. Returns its exit code and what it wrote to stderr. */
  stop(): Promise<Pick<Output, 'code' | 'stderr'>>
}

/** Starts the command line up to the flags of petstore-mock, and waits until the server is ready. */
export async function serve([file, ...args]: Launcher, cwd: string): Promise<RunningServer> {
  const flags = ['--port', '0', '--log-format', 'json', '--quiet']
  const child = spawn(file, [...args, ...flags], { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = once(child, 'close') as Promise<[number]>
  return {
    url: await readUrl(child, ended, () => stderr),
    async stop() {
      child.kill('SIGTERM')
      const [code] = await ended
      return { code, stderr }
    },
  }
}

async function readUrl({ stdout }: ChildProcess, ended: Promise<unknown>, stderr: () => string): Promise<string> {
  if (stdout === null) throw new Error('The standard output is not piped.')
  const first = await Promise.race([once(stdout.setEncoding('utf8'), 'data'), ended.then(() => undefined)])
  if (first === undefined) throw new Error(`The server did not start: ${stderr()}`)
  return (JSON.parse(String(first[0]).split('\n')[0] ?? '') as { url: string }).url
}
