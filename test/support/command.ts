import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** How long a process is waited for before the wait itself fails, on a busy machine too. */
const PATIENCE_MS = 50_000

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** By its address, since a command may run in a folder that has none. */
const TSX = import.meta.resolve('tsx')

/** What a command that ended has left. */
export interface Outcome {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A command that runs, and what it has printed so far. */
export interface RunningCommand {
  /** Waits until standard output holds a match, from its beginning. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** The same for standard error. */
  complained(pattern: RegExp): Promise<RegExpExecArray>
  kill(signal: NodeJS.Signals): void
  /** Stops listening to its standard output, as a pipe does whose reader has left. */
  closeOutput(): void
  /** Resolves when it has ended and everything it printed was read. */
  ended(): Promise<Outcome>
}

const running = new Set<ChildProcess>()

/** Ends whatever the tests have started and not ended, each by its id. For afterEach. */
export async function endCommands(): Promise<void> {
  const ends = [...running].map((child) => new Promise((resolve) => child.once('close', resolve)))
  for (const child of running) child.kill('SIGKILL')
  await Promise.all(ends)
}

/** Starts the command line from its source in a folder, with these variables and no other of its own. */
export function startCommand(
  args: readonly string[],
  variables: Record<string, string> = {},
  cwd: string = ROOT,
): RunningCommand {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:PETSTORE_|NO_COLOR$|FORCE_COLOR$)/.test(name))
  const child = spawn(process.execPath, ['--import', TSX, join(ROOT, 'src/cli/main.ts'), ...args], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let [stdout, stderr] = ['', '']
  const watchers = new Set<() => void>()
  const look = (): void => {
    for (const watcher of watchers) watcher()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    look()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    look()
  })
  let outcome: Outcome | undefined
  child.once('close', (code, signal) => {
    running.delete(child)
    outcome = { code, signal, stdout, stderr }
    look()
  })

  /** Looks whenever something was printed or the process ended, until there is something to give back. */
  function wait<T>(what: string, find: () => T | null | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        stop()
        reject(new Error(`${what} did not come ${why}; printed: ${JSON.stringify({ stdout, stderr })}`))
      }
      const patience = setTimeout(fail, PATIENCE_MS, 'in time')
      const watcher = (): void => {
        const found = find()
        if (found !== null && found !== undefined) {
          stop()
          resolve(found)
        } else if (outcome) {
          fail('before the command ended')
        }
      }
      const stop = (): void => {
        clearTimeout(patience)
        watchers.delete(watcher)
      }
      watchers.add(watcher)
      watcher()
    })
  }

  return {
    printed: (pattern) => wait(String(pattern), () => pattern.exec(stdout)),
    complained: (pattern) => wait(String(pattern), () => pattern.exec(stderr)),
    kill: (signal) => void child.kill(signal),
    closeOutput: () => void child.stdout.destroy(),
    ended: () => wait('the end', () => outcome),
  }
}

/** Runs the command line to its end. */
export function runCommand(args: readonly string[], variables?: Record<string, string>): Promise<Outcome> {
  return startCommand(args, variables).ended()
}
