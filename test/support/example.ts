/** Set up once for all tests of examples/react-offline: the packed package installed in a copy of it, and its builds. */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { npm, packInto, root } from './packed.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the copy, where the builds are in folders with the names of `BUILDS`. */
    example: string
  }
}

const BUILDS: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  dist: {},
  'dist-shop': { BASE_PATH: '/shop/' },
  'dist-off': { VITE_MOCK: 'off' },
}

/** The folder for screenshots and reports of a run. */
export const ARTEFACTS = join(root, 'artefacts')

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await rm(ARTEFACTS, { recursive: true, force: true })
  await mkdir(ARTEFACTS)
  const folder = await mkdtemp(join(tmpdir(), 'petstore-mock-react-offline-'))
  const tearDown = () => rm(folder, { recursive: true, force: true })
  try {
    project.provide('example', await installExample(folder))
  } catch (error) {
    await tearDown()
    throw error
  }
  return tearDown
}

async function installExample(folder: string): Promise<string> {
  const tarball = await packInto(folder)
  const example = join(folder, 'example')
  const isSource = (path: string) => !/[\\/](node_modules|dist|public)$/.test(path)
  await cp(join(root, 'examples/react-offline'), example, { recursive: true, filter: isSource })
  const manifest = await readFile(join(example, 'package.json'), 'utf8')
  await writeFile(join(example, 'package.json'), manifest.replace('file:../..', `file:${tarball}`))

  await npm(example, ['install', '--no-audit', '--no-fund', '--prefer-offline'])
  await npm(example, ['exec', '--offline', '--', 'petstore-mock', 'init', 'public'])
  await npm(example, ['run', 'types'])
  for (const [outDir, env] of Object.entries(BUILDS)) {
    const output = await npm(example, ['run', 'build', '--', '--manifest', '--outDir', outDir], env)
    if (/warning|\(!\)/i.test(output)) throw new Error(`The build printed a warning.\n${output}`)
  }
  return example
}
