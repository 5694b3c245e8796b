import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A JavaScript runtime other than Node. */
export interface Runtime {
  readonly name: 'Bun' | 'Deno'
  /** The version that is tested. It is also in the README. */
  readonly version: string
  /** The npm package with the program for this machine. */
  readonly package: string
  /** Where the program is in the package. */
  readonly program: string
  /** The arguments before the name of a script, with all permissions. */
  readonly runArgs: readonly string[]
}

const { platform, arch } = process
const extension = platform === 'win32' ? '.exe' : ''

export const BUN: Runtime = {
  name: 'Bun',
  version: '1.4.4',
  package: `@oven/bun-${platform === 'win32' ? 'windows' : platform}-${arch === 'arm64' ? 'aarch64' : arch}`,
  program: `bin/bun${extension}`,
  runArgs: ['--bun'],
}

export const DENO: Runtime = {
  name: 'Deno',
  version: '2.9.6',
  package: `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`,
  program: `deno${extension}`,
  runArgs: ['run', '--allow-all'],
}

const FOLDER = join(tmpdir(), 'petstore-mock-runtimes')

function folderOf({ name, version }: Runtime): string {
  return join(FOLDER, `${name.toLowerCase()}-${version}-${arch}`)
}

/** The path of the program. It exists after `installRuntime`. */
export function programOf(runtime: Runtime): string {
  return join(folderOf(runtime), 'node_modules', runtime.package, runtime.program)
}

/** Installs a runtime from npm, once per machine, outside the project. Returns the path of the program. */
export async function installRuntime(runtime: Runtime): Promise<string> {
  const program = programOf(runtime)
  if (existsSync(program)) return program
  await mkdir(FOLDER, { recursive: true })
  // Renamed when it is complete, because another process may install it at the same time.
  const partial = await mkdtemp(join(FOLDER, 'partial-'))
  try {
    const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
    const wanted = `${runtime.package}@${runtime.version}`
    await run('npm', ['install', ...quiet, '--prefix', partial, wanted], { cwd: partial }).catch((error) => {
      throw new Error(`npm cannot install ${wanted}.`, { cause: error })
    })
    await rename(partial, folderOf(runtime)).catch((error) => {
      if (!existsSync(program)) throw error
    })
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
  return program
}

/** Variables that keep a runtime from writing outside its folder, and from looking for updates. */
export const RUNTIME_VARIABLES = {
  DENO_DIR: join(FOLDER, 'deno-cache'),
  DENO_NO_UPDATE_CHECK: '1',
  DO_NOT_TRACK: '1',
} as const
