/** An example as a user would copy it: in a separate folder, with the packed package installed. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { INSTALL_TIMEOUT_MS, npm, packInto, root } from './packed.js'

/** Warnings of Node, Python, msw or a test runner. */
export const WARNINGS = /Warning:|\[MSW\]|did not exit|failed to exit|hanging|open handle|not wrapped in act/i

/** npm's warnings about packages. Those about its own settings are ignored. */
const INSTALL_WARNINGS = /^npm warn (?!Unknown \w+ config).*/im

/** A temporary folder for a test file, with the tarball. */
export interface Workshop {
  readonly folder: string
  /** Makes a project depend on the tarball instead of this repository, and installs it. Returns npm's output. */
  install(project: string): Promise<string>
  /** Copies an example and installs its dependencies, without a warning. Returns its new folder. */
  installExample(name: string): Promise<string>
}

/** For the top level of a test file. It can be used only in tests. */
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

/** Environment variables that mark a process and its children. */
export function createMark(): NodeJS.ProcessEnv {
  return { EXAMPLE_MARK: randomUUID() }
}

/** Waits until all processes with this mark have ended. Linux only. */
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

/** Empty for a process that has ended or belongs to another user. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Runs npm in an example. Expects no warnings and no remaining processes. Returns the output. */
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
