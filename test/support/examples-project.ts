/** An example as somebody who copies it has it: in a folder of its own, with the packed package installed. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { INSTALL_TIMEOUT_MS, npm, packInto, root } from './packed.js'

/** What Node, Python, msw or a runner say of something that was left behind or done wrong. */
export const WARNINGS = /Warning:|\[MSW\]|did not exit|failed to exit|hanging|open handle|not wrapped in act/i

/** What npm says of a package. Of its own settings, which are not ours, it may say what it likes. */
const INSTALL_WARNINGS = /^npm warn (?!Unknown \w+ config).*/im

/** A folder for the tests of a file, gone with them, and the tarball in it. */
export interface Workshop {
  readonly folder: string
  /** Makes a project depend on the tarball in place of this repository, and installs all. Returns what npm prints. */
  install(project: string): Promise<string>
  /** Copies an example and installs what it depends on, without a warning. Returns its new folder. */
  installExample(name: string): Promise<string>
}

/** For the top of a test file: nothing in it can be used before its tests run. */
export function useWorkshop(): Workshop {
  let folder = ''
  let tarball = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-mock-examples-'))
    tarball = await packInto(folder)
  }, INSTALL_TIMEOUT_MS)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function install(project: string): Promise<string> {
    const path = join(project, 'package.json')
    const manifest = await readFile(path, 'utf8')
    expect(manifest).toContain('"petstore-mock": "file:../.."')
    await writeFile(path, manifest.replace('file:../..', `file:${tarball}`))
    return npm(project, ['install', '--no-audit', '--no-fund', '--prefer-offline'])
  }

  return {
    get folder() {
      return folder
    },
    install,
    async installExample(name) {
      const project = join(folder, name)
      const isSource = (path: string) =>
        !/[\\/](node_modules|__pycache__|test-results|public|storybook-static)$/.test(path)
      await cp(join(root, 'examples', name), project, { recursive: true, filter: isSource })
      expect(await install(project)).not.toMatch(INSTALL_WARNINGS)
      return project
    },
  }
}

/** Variables to start something with, by which it and all that it starts are known. */
export function createMark(): NodeJS.ProcessEnv {
  return { EXAMPLE_MARK: randomUUID() }
}

/** Waits for the last of the processes with this mark, since a browser takes a moment to go. Only Linux can tell. */
export async function expectNothingRuns(mark: NodeJS.ProcessEnv): Promise<void> {
  await vi.waitFor(() => expect(findMarked(`EXAMPLE_MARK=${mark.EXAMPLE_MARK}`)).toEqual([]), { timeout: 20_000 })
}

function findMarked(mark: string): string[] {
  if (process.platform !== 'linux') return []
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return processes
    .filter((id) => read(`/proc/${id}/environ`).includes(mark))
    .map((id) => `${id} ${read(`/proc/${id}/cmdline`).replaceAll('\0', ' ')}`)
}

/** Nothing, of a process that has just gone or is somebody else's. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Runs npm in an example. Expects that it warns of nothing and leaves nothing running, and returns what it prints. */
export async function runQuietly(
  project: string,
  args: readonly string[],
  extra: NodeJS.ProcessEnv = {},
): Promise<string> {
  const mark = createMark()
  try {
    const output = await npm(project, args, { ...extra, ...mark })
    expect(output).not.toMatch(WARNINGS)
    return output
  } finally {
    await expectNothingRuns(mark)
  }
}
