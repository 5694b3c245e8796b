import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './packed.js'

/** The commands of a page, and the folder in which they run. */
export interface ShellTask {
  /** The folder in which the package is installed. */
  readonly project: string
  readonly folder: string
  readonly script: string
  /** Used in place of port 4010. */
  readonly port: number
  /** The expected failures, in order: statuses from 400, and the exit code of the last command (`exit code 1`). */
  readonly failures: readonly string[]
}

const TIMEOUT_MS = 240_000

/** The service in the pages, which the mock replaces. */
const REAL_SERVICE = /https:\/\/(?:api|staging)\.petstore\.example/g

/** Runs the commands one after another, and returns what they print. Rejects if they do not fail as expected. */
export async function runShell({ project, folder, script, port, failures }: ShellTask): Promise<string> {
  const notes = join(project, 'notes')
  await rm(notes, { recursive: true, force: true })
  await mkdir(notes)
  // Every body ends its line, as pages show it, and the status of every response goes to standard error.
  await writeFile(join(notes, '.curlrc'), 'no-progress-meter\nwrite-out = "\\n%{stderr}HTTP %{http_code}\\n"\n')
  await writeFile(join(notes, 'npx'), `#!/bin/sh\nname=$1\nshift\nexec "${project}/node_modules/.bin/$name" "$@"\n`, {
    mode: 0o755,
  })
  const commands = toCommands(script, project)
  const needsServer = script.includes(':4010') || script.search(REAL_SERVICE) >= 0
  const begin = needsServer && !commands.some(({ serves }) => serves) ? ['begin petstore-mock --quiet'] : []
  // What a server prints is in its own terminal: a page shows it only if its block runs nothing else.
  const hidden = commands.every(({ serves, line }) => serves || line.startsWith('#')) ? [] : ['hidden=yes']
  const lines = [PREAMBLE, ...hidden, ...begin, ...commands.map(({ line }) => line), 'finish']
  const text = lines.join('\n').replaceAll('4010', String(port)).replaceAll(REAL_SERVICE, `http://127.0.0.1:${port}`)
  // For the real service, which the mock replaces, verify would only read by itself.
  const onlyReads = script.search(REAL_SERVICE) >= 0 && !script.includes('--allow-writes')
  const env = { ...environment(project, notes, port), ...(onlyReads && { PETSTORE_READ_ONLY: 'true' }) }
  const { code, stdout, stderr } = await bash(text, folder, env)
  const back = (printed: string) => printed.replaceAll(String(port), '4010').replaceAll(project, '')
  const statuses = [...stderr.matchAll(/HTTP ([45]\d\d)/g)].map(([, status]) => status as string)
  const received = [...statuses, ...describeEnd(code)].join(', ')
  const expected = failures.join(', ')
  if (received !== expected) {
    const problem = `Expected ${expected || 'no failure'}, received ${received || 'no failure'}.`
    throw new Error(`${problem}\n${back(stdout)}\n${back(stderr)}`)
  }
  return back(stdout)
}

function describeEnd(code: number | null): string[] {
  if (code === null) return [`no end within ${TIMEOUT_MS} ms`]
  return code === 0 ? [] : [`exit code ${code}`]
}

/** `begin` starts a server as in a separate terminal. It is stopped, and must exit with 0, before the next one starts. */
const PREAMBLE = `
set -euo pipefail
server= hidden=
finish() {
  if [ -z "$server" ]; then return; fi
  kill -TERM "$server"
  wait "$server" || { echo "the server ended with exit code $?" >&2; exit 1; }
  server=
  if [ -z "$hidden" ]; then cat "$NOTES/served"; fi
}
begin() {
  finish
  : > "$NOTES/served"
  "$@" >> "$NOTES/served" 2>&1 &
  server=$!
  until grep -Eq ' is ready|"event":"ready"' "$NOTES/served"; do
    kill -0 "$server" 2> /dev/null || { cat "$NOTES/served"; wait "$server" || exit $?; exit 1; }
    sleep 0.05
  done
}
trap 'kill $(jobs -p) 2> /dev/null || true' EXIT
`

interface Command {
  /** The line for bash. */
  readonly line: string
  readonly serves: boolean
}

const SERVER = /^((?:[A-Z_]+=\S+ )*)((?:npx )?petstore-mock(?: serve)?(?: +-[^&|>;]*)?|npm start(?: -- [^&|>;]*)?)$/
const NO_SERVER = / (-h|--help|-v|--version)\b/

function toCommands(script: string, project: string): Command[] {
  return joinContinued(script).map((written) => {
    const bare = written.replace(/\s+# .*$/, '').trim()
    // Here npx is replaced by a script that does pass them on.
    if (/\bnpx petstore-mock\b[^&]*&( |$)/.test(bare)) {
      throw new Error('npx does not pass signals on. Start node_modules/.bin/petstore-mock instead.')
    }
    const [, variables = '', server] = (!NO_SERVER.test(bare) && SERVER.exec(bare)) || []
    if (server !== undefined) {
      const started = server.replace(/^npm start(?: --)?/, 'petstore-mock')
      return { line: `begin env ${variables}${started}`, serves: true }
    }
    const line = isDone(bare, project) ? `# ${bare}` : written
    return { line, serves: /petstore-mock\b.*&( |$)/.test(bare) }
  })
}

function joinContinued(script: string): string[] {
  return script
    .trim()
    .replaceAll('\\\n', '\\\0')
    .split('\n')
    .map((line) => line.replaceAll('\0', '\n'))
}

/** Whether the command is not run, because this test or the CI of this repository already does the same. */
function isDone(command: string, project: string): boolean {
  if (!command.startsWith('npm ')) return false
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const part of command.split(' && ')) {
    const [, verb, rest = ''] = /^npm (ci|pack|init|pkg|start|test|install|run)\b ?(.*)$/.exec(part) ?? []
    const script = verb === 'run' ? rest.replace(/ -- .*$/, '') : verb
    const words = verb === 'install' ? rest.split(' ').filter((word) => word !== '' && !word.startsWith('-')) : []
    const packages = words.map((word) => (word.endsWith('/petstore-mock-*.tgz') ? 'petstore-mock' : word))
    const missing = packages.find((name) => !existsSync(join(project, 'node_modules', name)))
    if (missing !== undefined) throw new Error(`${part}: ${missing} is not installed in the project of the test.`)
    if (!['ci', 'pack', 'init', 'pkg', 'install'].includes(verb ?? '') && scripts[script ?? ''] === undefined) {
      throw new Error(`${part}: package.json has no such script.`)
    }
  }
  return true
}

/** Whether a text matches the shown one, in which `…` stands for anything. */
export function matches(shown: string, printed: string): boolean {
  const pattern = shown.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${pattern.join('.*')}$`, 's').test(printed)
}

function environment(project: string, notes: string, port: number): NodeJS.ProcessEnv {
  const isOurs = (name: string) =>
    /^(PETSTORE_|VITE|NODE_ENV$|NODE_OPTIONS$|FORCE_COLOR$|TEST$|XDG_CACHE_HOME$)/.test(name)
  const inherited = Object.entries(process.env).filter(([name]) => !isOurs(name))
  return {
    ...Object.fromEntries(inherited),
    ...{ NOTES: notes, CURL_HOME: notes, NO_COLOR: '1', TOKEN: 'a-secret', PETSTORE_PORT: String(port) },
    PATH: `${notes}:${join(project, 'node_modules/.bin')}:${process.env.PATH}`,
  }
}

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

function bash(text: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // In a separate process group, so that background processes can be ended with it.
    const child = spawn('bash', ['-c', text], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const end = () => {
      try {
        process.kill(-(child.pid as number), 'SIGKILL')
      } catch {
        // The process group has already ended.
      }
    }
    const timeout = setTimeout(end, TIMEOUT_MS)
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
    child.once('error', reject)
    child.once('exit', end)
    child.once('close', (code) => {
      clearTimeout(timeout)
      resolve({ code, stdout, stderr })
    })
  })
}
