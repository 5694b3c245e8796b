import { type ChildProcess, spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { run } from '../../src/cli/run.js'

const TIMEOUT_MS = 50_000

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The built command. The global setup of the tests builds it. */
export const COMMAND_FILE = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

export type Variables = Readonly<Record<string, string>>

export interface Outcome {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunningCommand {
  /** Waits until standard output matches. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Waits until standard error matches. */
  complained(pattern: RegExp): Promise<RegExpExecArray>
  kill(signal: NodeJS.Signals): void
  /** Resolves when the command has ended and all of its output was read. */
  ended(): Promise<Outcome>
}

export interface CommandProcess extends RunningCommand {
  readonly child: ChildProcess
}

const running = new Set<() => Promise<unknown>>()

/** Ends the commands that are still running. For afterEach. */
export async function endCommands(): Promise<void> {
  await Promise.all([...running].map((end) => end()))
}

/** What a command prints when it serves, with `--log-format json`. */
export interface ReadyEvent extends Readonly<Record<string, unknown>> {
  readonly url: string
  readonly port: number
}

export async function readyEventOf<Event = ReadyEvent>(command: RunningCommand): Promise<Event> {
  const [, line = ''] = await command.printed(/^(\{"event":"ready".*\})\n/)
  return JSON.parse(line)
}

/** The URL that a command prints for people. */
export async function urlPrintedBy(command: RunningCommand): Promise<string> {
  const [, url = ''] = await command.printed(/^ +API +(http\S+)\n/m)
  return url
}

export function stop(command: RunningCommand, signal: NodeJS.Signals = 'SIGTERM'): Promise<Outcome> {
  command.kill(signal)
  return command.ended()
}

/** Runs the command in this process until it ends or `kill` is called. It sees only these environment variables. */
export function startCommand(
  args: readonly string[],
  variables: Variables = {},
  cwd: string = ROOT,
  stdin: Readable = Readable.from([]),
): RunningCommand {
  const transcript = createTranscript()
  const capture = (name: 'stdout' | 'stderr'): Writable =>
    new Writable({
      write(chunk, _encoding, done) {
        transcript.add(name, String(chunk))
        done()
      },
    })
  const controller = new AbortController()
  let catchesSignals = false
  const io = {
    stdin,
    stdout: capture('stdout'),
    stderr: capture('stderr'),
    cwd: () => cwd,
    catchSignals() {
      catchesSignals = true
      return controller.signal
    },
  }
  const end = (): Promise<unknown> => {
    controller.abort()
    return transcript.ended()
  }
  running.add(end)
  void run(args, { ...variables }, io).then((code) => {
    running.delete(end)
    transcript.end(code, null)
  })
  return {
    printed: transcript.printed,
    complained: transcript.complained,
    kill(signal) {
      if (!catchesSignals) throw new Error(`The command does not catch ${signal} yet.`)
      controller.abort()
    },
    ended: transcript.ended,
  }
}

/** Runs the command in this process to its end. */
export function runCommand(args: readonly string[], variables?: Variables, cwd?: string): Promise<Outcome> {
  return startCommand(args, variables, cwd).ended()
}

/** Runs the command in this process with a standard output that fails. */
export async function runWithBrokenOutput(args: readonly string[], error: Error) {
  let stderr = ''
  const io = {
    stdin: Readable.from([]),
    stdout: new Writable({ write: (_chunk, _encoding, done) => done(error) }).on('error', () => {}),
    stderr: new Writable({
      write(chunk, _encoding, done) {
        stderr += chunk
        done()
      },
    }),
    cwd: () => ROOT,
    catchSignals: () => new AbortController().signal,
  }
  return { code: await run(args, {}, io), stderr }
}

/** Starts the built command in its own process, for tests of signals, pipes and exit codes. `maxOpenFiles` requires a POSIX shell. */
export function spawnCommand(
  args: readonly string[],
  { variables = {}, cwd = ROOT, file = COMMAND_FILE, stdout = 'pipe' as 'pipe' | number, maxOpenFiles = 0 } = {},
): CommandProcess {
  const transcript = createTranscript()
  const env = { ...inheritedVariables(), ...variables }
  const limited = ['sh', '-c', `ulimit -n ${maxOpenFiles} && exec "$0" "$@"`]
  const [program = '', ...rest] = [...(maxOpenFiles > 0 ? limited : []), process.execPath, file, ...args]
  const child = spawn(program, rest, { cwd, env, stdio: ['ignore', stdout, 'pipe'] })
  const end = (): Promise<unknown> => {
    child.kill('SIGKILL')
    return transcript.ended()
  }
  running.add(end)
  child.stdout?.setEncoding('utf8').on('data', (text: string) => transcript.add('stdout', text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => transcript.add('stderr', text))
  child.once('close', (code, signal) => {
    running.delete(end)
    transcript.end(code, signal)
  })
  return {
    child,
    printed: transcript.printed,
    complained: transcript.complained,
    kill: (signal) => void child.kill(signal),
    ended: transcript.ended,
  }
}

/** The environment of the tests without the variables that change what the command prints. */
export function inheritedVariables(): Record<string, string | undefined> {
  const isOurs = (name: string): boolean => /^(?:PETSTORE_|NO_COLOR$|FORCE_COLOR$)/.test(name)
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)))
}

function createTranscript() {
  const printed = { stdout: '', stderr: '' }
  let outcome: Outcome | undefined
  const checks = new Set<() => void>()
  const checkAll = (): void => {
    for (const check of checks) check()
  }

  /** Checks after each output and at the end, until there is a result. */
  function wait<T>(goal: string, find: () => T | null | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        checks.delete(check)
      }
      const fail = (reason: string): void => {
        stop()
        reject(new Error(`${goal}: ${reason}. Printed: ${JSON.stringify(printed)}`))
      }
      const check = (): void => {
        const found = find()
        if (found !== null && found !== undefined) {
          stop()
          resolve(found)
        } else if (outcome) fail('the command ended')
      }
      const timer = setTimeout(fail, TIMEOUT_MS, `nothing within ${TIMEOUT_MS} ms`)
      checks.add(check)
      check()
    })
  }

  return {
    add(name: 'stdout' | 'stderr', text: string): void {
      printed[name] += text
      checkAll()
    },
    end(code: number | null, signal: NodeJS.Signals | null): void {
      outcome = { code, signal, ...printed }
      checkAll()
    },
    printed: (pattern: RegExp) => wait(`stdout ${pattern}`, () => pattern.exec(printed.stdout)),
    complained: (pattern: RegExp) => wait(`stderr ${pattern}`, () => pattern.exec(printed.stderr)),
    ended: () => wait('end', () => outcome),
  }
}
