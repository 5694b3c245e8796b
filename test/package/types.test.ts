import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { type Installed, installPacked } from '../support/installed.js'
import { root, run } from '../support/packed.js'

let installed: Installed

beforeAll(async () => {
  installed = await installPacked()
  // The packages of this project, so that nothing is downloaded.
  for (const peer of ['msw', 'vite', 'vitest', '@playwright']) {
    await symlink(join(root, 'node_modules', peer), join(installed.folder, 'node_modules', peer))
  }
})

/** For every entry that can be required. */
const FOR_BOTH = `
  import { createPetstore, MockError, type Petstore } from 'petstore-mock'
  import { assertReceived } from 'petstore-mock/assertions'
  import { connect, type PetstoreClient } from 'petstore-mock/client'
  import { setupPetstore } from 'petstore-mock/node'
  import { test as testInBrowser } from 'petstore-mock/playwright'
  import { startServer, type PetstoreServer } from 'petstore-mock/server'
  import { forwardSandbox } from 'petstore-mock/ssr'
  const petstore: Petstore = createPetstore({ seed: 7, rules: 'off' })
  export const server: Promise<PetstoreServer> = startServer({ port: 0 })
  export const client: PetstoreClient = connect('http://127.0.0.1:4010')
  setupPetstore({ baseUrl: 'http://pets.test' }).listen()
  export const init: RequestInit = forwardSandbox({ cookie: 'theme=dark' }, { method: 'POST' })
  assertReceived(petstore, 'listPets', { query: { limit: 5 } })
  testInBrowser('creates', async ({ petstore: own }) => {
    const pet = await own.data.pets.create({ name: 'Rex' })
    pet.name satisfies string
  })
  // @ts-expect-error an operation that does not exist
  petstore.faults.add({ operation: 'getPets' })
  try {
    // @ts-expect-error an option that does not exist
    createPetstore({ sede: 7 })
  } catch (error) {
    if (error instanceof MockError) error.code satisfies string
  }
`

/** vite has no types that node10 finds. */
const FOR_VITE = `
  import { petstoreMock } from 'petstore-mock/vite'
  export const plugin = petstoreMock({ baseUrl: '/api' })
`

/** For the others. */
const FOR_ES_MODULES = `
  import { setupPetstore as setupInPage } from 'petstore-mock/browser'
  import { expect, test } from 'petstore-mock/vitest'
  import CoverageReporter from 'petstore-mock/vitest/reporter'
  test('lists', async ({ petstore: own }) => {
    expect(own).toHaveReceived('listPets', { status: 200 })
    // @ts-expect-error an operation that does not exist
    expect(own).toHaveReceived('listPet')
  })
  export const used = [setupInPage({ baseUrl: '/api' }).start(), CoverageReporter]
`

const CONSUMERS = {
  'consumer-node10.ts': FOR_BOTH + FOR_ES_MODULES,
  'consumer.ts': FOR_BOTH + FOR_ES_MODULES + FOR_VITE,
  'consumer.mts': FOR_BOTH + FOR_ES_MODULES + FOR_VITE,
  'consumer.cts': FOR_BOTH,
}

/** happy-dom's types need a newer version of @types/node, and vitest imports them if happy-dom is installed. */
const NEED_NEWER_NODE = ['happy-dom']

/** `others` are packages that have errors of their own, with or without petstore-mock. */
const RESOLUTIONS = [
  {
    resolution: 'node10',
    module: 'commonjs',
    files: ['consumer-node10.ts'],
    others: [...NEED_NEWER_NODE, 'vitest', '@vitest/expect'],
  },
  {
    resolution: 'node16',
    module: 'node16',
    files: ['consumer.mts', 'consumer.cts'],
    others: [...NEED_NEWER_NODE, 'msw'],
  },
  {
    resolution: 'nodenext',
    module: 'nodenext',
    files: ['consumer.mts', 'consumer.cts'],
    others: NEED_NEWER_NODE,
  },
  { resolution: 'bundler', module: 'esnext', files: ['consumer.ts'], others: NEED_NEWER_NODE },
] as const

it('covers every entry that has types', async () => {
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const entries = Object.entries<object>(exports).filter(([, target]) => 'types' in Object(target))
  for (const [entry, target] of entries) {
    const statement = `from '${entry.replace('.', 'petstore-mock')}'`
    expect(FOR_BOTH.includes(statement), entry).toBe('require' in target)
    expect((FOR_ES_MODULES + FOR_VITE).includes(statement), entry).toBe(!('require' in target))
  }
})

it.each(RESOLUTIONS)('compile with $resolution without skipLibCheck', async ({ resolution, module, files, others }) => {
  const { folder } = installed
  for (const file of files) await writeFile(join(folder, file), CONSUMERS[file])
  const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--lib', 'es2023,dom']
  // Checks the types of packages, but not those of TypeScript itself.
  flags.push('--skipDefaultLibCheck', '--module', module, '--moduleResolution', resolution)
  const args = [join(root, 'node_modules/typescript/bin/tsc'), ...flags, ...files]
  const { stdout } = await run(process.execPath, args, { cwd: folder }).catch((error) => error)
  const errors = (stdout as string).split('\n').filter((line) => / error TS\d+: /.test(line))
  const isOfOthers = (line: string) => others.some((name) => line.includes(`/node_modules/${name}/`))
  expect(errors.filter((line) => !isOfOthers(line))).toEqual([])
})
