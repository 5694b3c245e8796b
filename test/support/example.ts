/** Set up once for all tests of examples/react-offline: the packed package installed in a copy of it, and its builds. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { copyExample, install, npm, packInto, root } from './packed.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the copy, where the builds are in folders with the names of `BUILDS`. */
    example: string
  }
}

/** Where the build with the mock expects to be served. */
export const BASE = '/shop/'

const BUILDS: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  dist: { BASE_PATH: BASE },
  'dist-off': { VITE_MOCK: 'off' },
}

/** The folder for screenshots and reports of a run. */
export const ARTEFACTS = join(root, 'artefacts/example')

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await rm(ARTEFACTS, { recursive: true, force: true })
  await mkdir(ARTEFACTS, { recursive: true })
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-react-offline-'))
  const tearDown = () => rm(folder, { recursive: true, force: true })
  try {
    project.provide('example', await buildExample(folder))
  } catch (error) {
    await tearDown()
    throw error
  }
  return tearDown
}

async function buildExample(folder: string): Promise<string> {
  const example = join(folder, 'example')
  await copyExample('react-offline', example, await packInto(folder))
  await install(example)
  await npm(example, ['exec', '--offline', '--', 'petstore-mock', 'init', 'public'])
  const builds = Object.entries(BUILDS).map(async ([outDir, env]) => {
    const output = await npm(example, ['run', 'build', '--', '--outDir', outDir], env)
    if (/warning|\(!\)/i.test(output)) throw new Error(`The build printed a warning.\n${output}`)
  })
  await Promise.all([npm(example, ['run', 'types']), ...builds])
  return example
}
