/** For tests of the examples, each in a folder of its own, with the packed package. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, inject, vi } from 'vitest'
import { copyExample, install, npm } from './packed.js'
import { type Manifest, shareInstall } from './share-install.js'

/** Warnings of Node, Python, msw or a test runner. */
export const WARNINGS = /Warning:|\[MSW\]|did not exit|failed to exit|hanging|open handle|not wrapped in act/i

/** npm's warnings about packages. Those about its own settings are ignored. */
const INSTALL_WARNINGS = /^npm warn (?!Unknown \w+ config).*/im

/** Copies an example, and installs the packages of several at once. Returns the folder of the copy. */
export async function setUpExample(name: string, copy = name): Promise<string> {
  const folder = await copyOf(name, copy)
  expect(await shareInstall(folder)).not.toMatch(INSTALL_WARNINGS)
  return folder
}

/** Copies an example, changes its package.json, and installs it alone. Returns the folder of the copy. */
export async function installExample(
  name: string,
  copy = name,
  change: (manifest: Manifest) => Manifest = (manifest) => manifest,
): Promise<string> {
  const folder = await copyOf(name, copy)
  const file = join(folder, 'package.json')
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))))
  expect(await install(folder)).not.toMatch(INSTALL_WARNINGS)
  return folder
}

async function copyOf(name: string, copy: string): Promise<string> {
  const tarball = inject('tarball')
  const folder = join(dirname(tarball), copy)
  await copyExample(name, folder, tarball)
  return folder
}

/** Runs npm in an example. Expects no warnings and no remaining processes. Returns the output. */
export async function runQuietly(
  project: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<string> {
  const mark = createMark()
  try {
    const output = await npm(project, args, { ...variables, ...mark })
    expect(output).not.toMatch(WARNINGS)
    return output
  } finally {
    await expectNothingRuns(mark)
  }
}

/** A program of an example that runs until it is stopped. */
export interface RunningExample {
  /** Its output so far. */
  output(): string
  /** Waits until it has printed this. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Stops it, and expects an exit code and no remaining processes. Can be called twice. */
  end(exitCode?: number): Promise<void>
}

export function startInExample(project: string, command: string, args: readonly string[]): RunningExample {
  const mark = createMark()
  const child = spawn(command, [...args], { cwd: project, env: { ...process.env, ...mark }, stdio: 'pipe' })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  const closed = once(child, 'close')

  return {
    output: () => printed,
    async printed(pattern) {
      await vi.waitUntil(() => pattern.test(printed) || hasEnded(child), { timeout: WAIT_MS })
      return pattern.exec(printed) ?? expect.fail(`${pattern} was not printed:\n${printed}`)
    },
    async end(exitCode = 0) {
      child.kill('SIGTERM')
      expect(await closed).toEqual([exitCode, null])
      await expectNothingRuns(mark)
    },
  }
}

/** Enough for a process to start or to end on a busy machine. */
const WAIT_MS = 60_000

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Environment variables that mark a process and its children. */
function createMark(): NodeJS.ProcessEnv {
  return { EXAMPLE_MARK: randomUUID() }
}

/** Waits until all processes with this mark have ended. Linux only. */
async function expectNothingRuns(mark: NodeJS.ProcessEnv): Promise<void> {
  await vi.waitFor(() => expect(findMarked(`EXAMPLE_MARK=${mark.EXAMPLE_MARK}`)).toEqual([]), { timeout: WAIT_MS })
}

function findMarked(mark: string): string[] {
  if (process.platform !== 'linux') return []
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes
    .filter((id) => read(`/proc/${id}/environ`).includes(mark))
    .map((id) => `${id} ${read(`/proc/${id}/cmdline`).replaceAll('\0', ' ')}`)
}

/** Empty for a process that has ended or belongs to another user. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
