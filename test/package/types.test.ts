import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, expect, it } from 'vitest'
import { isFullRun } from '../support/full-run.js'
import { type Installed, installPacked } from '../support/installed.js'
import { root, run } from '../support/packed.js'

let installed: Installed

beforeAll(async () => {
  installed = await installPacked()
  // The packages of this project, so that nothing is downloaded.
  for (const peer of ['msw', 'vite', 'vitest', '@playwright']) {
    await symlink(join(root, 'node_modules', peer), join(installed.folder, 'node_modules', peer))
  }
  // In place of Jest, whose own types are compiled in set-ups.test.ts.
  await mkdir(join(installed.folder, 'node_modules/expect'))
  await writeFile(join(installed.folder, 'node_modules/expect/index.d.ts'), TYPES_OF_EXPECT)
  await writeFile(join(installed.folder, 'shop.json'), FIXTURE)
  for (const [name, code] of Object.entries(CONSUMERS)) await writeFile(join(installed.folder, name), code)
})

const TYPES_OF_EXPECT = 'export interface Matchers<R extends void | Promise<void>, T = unknown> { toBe(value: T): R }'

/** Records with different fields. */
const FIXTURE = JSON.stringify({
  $schema: './fixture.schema.json',
  categories: [
    { id: 1, name: 'Dogs' },
    { id: 2, name: 'Cats', description: 'Quiet.' },
  ],
  pets: [
    { id: 1, name: 'Rex', categoryId: 1, status: 'sold' },
    { id: 2, name: 'Bo', categoryId: 2 },
    { id: 3, name: 'Kim', category: { name: 'Birds' } },
    { id: 4, name: 'Lu', category: { name: 'Fish', description: 'Wet.' }, status: 'available' },
  ],
  inventory: [{ petId: 1, quantity: 0, status: 'sold' }],
  orders: [
    { id: 1, petId: 2 },
    { id: 2, petId: 2, quantity: 1, complete: false },
  ],
})

/** Imports no types of other packages, which not every project compiles without errors. */
const FOR_COMMONJS = `
  import { createPetstore, type ErrorBody, type FaultRule } from 'petstore-mock'
  import { assertReceived } from 'petstore-mock/assertions'
  import { setupPetstore } from 'petstore-mock/node'
  import shop = require('./shop.json')
  const petstore = setupPetstore({ fixtures: shop })
  petstore.importState(shop)
  petstore.reset()
  petstore.handlers.length satisfies number
  assertReceived(createPetstore({ fixtures: shop }), 'listPets')
  export const body: ErrorBody = { code: 'PET_NOT_FOUND', message: 'No pet has the id 5.', status: 404 }
  petstore.faults.add({ kind: 'slow', delayMs: 500 })
  petstore.faults.add({ delayMs: [100, 500] })
  // @ts-expect-error a slow response takes a time
  petstore.faults.add({ kind: 'slow' })
  // @ts-expect-error so does a delay
  export const rule: FaultRule = { kind: 'delay' }
`

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

/** Two services. */
const TWO_SERVICES = `
  import { createMocks, defineService, type ServiceOf } from 'petstore-mock'
  import { assertReceived } from 'petstore-mock/assertions'
  import { type AnyService, connect, type MockClient } from 'petstore-mock/client'
  import { setupMock } from 'petstore-mock/node'
  import { startServer } from 'petstore-mock/server'
  interface Book { id: number; title: string }
  interface Invoice { id: number; total: number }
  interface Library {
    getBook: {
      parameters: { path: { bookId: number } }
      responses: { 200: { content: { 'application/json': Book } } }
    }
  }
  interface Billing {
    getInvoice: {
      parameters: { path: { invoiceId: number } }
      responses: {
        200: { content: { 'application/json': Invoice } }
        409: { content: { 'application/json': { error: 'PAID' } } }
      }
    }
  }
  const library = defineService<ServiceOf<Library, { books: Book }>>({
    document: {},
    operations: {
      getBook({ path, store }) {
        const { books } = store
        books?.remove(books.get(path.bookId)?.id ?? '7')
        return { status: 200, body: books?.get(String(path.bookId)) }
      },
    },
  })
  const billing = defineService<ServiceOf<Billing, { invoices: Invoice }>>({
    document: {},
    operations: {
      // @ts-expect-error an operation of the other service
      getBook: (_context, standard) => standard(),
    },
  })
  const mocks = createMocks({ library, billing })
  setupMock(library, { baseUrl: 'https://library.test' }).data.books.find(1)?.title satisfies string | undefined
  mocks.library.data.books.create({ title: 'Emma' })
  mocks.billing.override('getInvoice', { status: 200, body: { id: 1, total: 5 } })
  mocks.billing.override('getInvoice', { status: 409, body: { error: 'PAID' } })
  // @ts-expect-error an error that is declared with another body
  mocks.billing.override('getInvoice', { status: 409, body: { error: 'TAKEN' } })
  mocks.billing.override('getInvoice', { status: 503, body: { any: 'thing' } })
  assertReceived(mocks.library, 'getBook', { params: { bookId: 1 } })
  // @ts-expect-error an operation of the other service
  mocks.library.override('getInvoice', { status: 200, body: { id: 1, total: 5 } })
  // @ts-expect-error so is this
  mocks.billing.faults.add({ operation: 'getBook', status: 503 })
  // @ts-expect-error records of the other service
  mocks.billing.data.books
  // @ts-expect-error a field of the other service
  mocks.billing.data.invoices.create({ title: 'Emma' })
  // @ts-expect-error a response of the other service
  mocks.billing.override('getInvoice', { status: 200, body: { id: 1, title: 'Emma' } })
  // @ts-expect-error an id that is no number
  assertReceived(mocks.library, 'getBook', { params: { bookId: 'one' } })
  // @ts-expect-error the id of the other service
  assertReceived(mocks.library, 'getBook', { params: { invoiceId: 1 } })
  export async function inAnotherProcess() {
    const client = connect<ServiceOf<Library, { books: Book }>>('http://127.0.0.1:4010')
    ;(await client.data.books.find(1))?.title satisfies string | undefined
    await client.override('getBook', { status: 200, body: { id: 1, title: 'Emma' } })
    // @ts-expect-error a response of the other service
    await client.override('getBook', { status: 200, body: { id: 1, total: 5 } })
    // @ts-expect-error an operation of the other service
    await client.journal.waitFor('getInvoice')
    // @ts-expect-error records of the other service
    client.data.invoices
    // @ts-expect-error so is this
    client.sandboxes.open('a').data.invoices
    const untyped: MockClient<AnyService> = connect<AnyService>('http://127.0.0.1:4010')
    await untyped.data.books?.create({ title: 'Emma' })
    await untyped.faults.add({ operation: 'getBook', status: 503 })
    const { mock } = await startServer({ service: library, port: 0 })
    mock.data.books.find(1)?.title satisfies string | undefined
    // @ts-expect-error records of the other service
    mock.data.invoices
    ;(await startServer({ document: {} })).mock.data.books?.all()
  }
`

/** The same in Playwright, whose own types need those of Node. */
const TWO_SERVICES_IN_PLAYWRIGHT = `
  import { createTest, expect, test } from 'petstore-mock/playwright'
  const testBoth = createTest({ library: { service: library, baseUrl: 'https://library.test' }, untyped: { document: {} } })
  testBoth('lends', async ({ page, library, untyped }) => {
    await page.goto('/')
    await library.data.books.create({ title: 'Emma' })
    await expect(library).toHaveReceived('getBook', { params: { bookId: expect.any(Number) } })
    await expect(library).not.toHaveReceivedTimes('getBook', 1)
    await untyped.data.invoices?.create({ total: 5 })
    await expect(untyped).toHaveReceived('getInvoice')
    // @ts-expect-error an operation of the other service
    await expect(library).toHaveReceived('getInvoice')
    // @ts-expect-error records of the other service
    await library.data.invoices
  })
  test('sells', async ({ petstore }) => {
    await expect(petstore).toHaveReceived('listPets')
    // @ts-expect-error an operation of another service
    await expect(petstore).toHaveReceived('getBook')
  })
`

/** Not in both formats at once: each adds its matchers to the same types of Jest. */
const FOR_JEST = `
  import { setupPetstore as setupInJest } from 'petstore-mock/jest'
  setupInJest().journal.total satisfies number
`

/** vite has no types that node10 finds. */
const FOR_VITE = `
  import { petstoreMock } from 'petstore-mock/vite'
  export const plugin = petstoreMock({ baseUrl: '/api' })
`

/** For the others. */
const FOR_ES_MODULES = `
  import { setupPetstore as setupInPage } from 'petstore-mock/browser'
  import { petstore as inPage } from 'petstore-mock/vite/page'
  import { expect, test } from 'petstore-mock/vitest'
  import CoverageReporter from 'petstore-mock/vitest/reporter'
  test('lists', async ({ petstore: own }) => {
    expect(own).toHaveReceived('listPets', { status: 200 })
    // @ts-expect-error an operation that does not exist
    expect(own).toHaveReceived('listPet')
  })
  export const used = [setupInPage({ baseUrl: '/api' }).start(), inPage?.openDashboard(), CoverageReporter]
`

const CONSUMERS = {
  'consumer-node10.ts': FOR_BOTH + FOR_JEST + FOR_ES_MODULES,
  'consumer.ts': FOR_BOTH + FOR_JEST + FOR_ES_MODULES + FOR_VITE,
  'consumer.mts': FOR_BOTH + FOR_ES_MODULES + FOR_VITE,
  'consumer.cts': FOR_BOTH + FOR_JEST,
  'consumer-commonjs.cts': FOR_COMMONJS,
  'consumer-vitest.ts': FOR_ES_MODULES,
  'two-services.mts': TWO_SERVICES + TWO_SERVICES_IN_PLAYWRIGHT,
  'two-services.cts': TWO_SERVICES,
}

interface Resolution {
  readonly moduleResolution: string
  readonly module: string
  readonly files: readonly (keyof typeof CONSUMERS)[]
  /** Whether the types of all other packages are checked, too. */
  readonly checksAll?: boolean
}

/** TypeScript 7 no longer has it. */
const NODE_10: Resolution = { moduleResolution: 'node10', module: 'commonjs', files: ['consumer-node10.ts'] }

const RESOLUTIONS: readonly Resolution[] = [
  { moduleResolution: 'nodenext', module: 'nodenext', files: ['consumer.mts', 'consumer.cts', 'two-services.mts'] },
  { moduleResolution: 'bundler', module: 'esnext', files: ['consumer-vitest.ts'], checksAll: true },
  {
    moduleResolution: 'node16',
    module: 'node16',
    files: ['consumer-commonjs.cts', 'two-services.cts'],
    checksAll: true,
  },
]

/** They resolve like nodenext. The last also checks the types of all other packages, which takes most of the time. */
const SIMILAR_RESOLUTIONS: readonly Resolution[] = [
  { moduleResolution: 'node16', module: 'node16', files: ['consumer.mts', 'consumer.cts'] },
  { moduleResolution: 'bundler', module: 'esnext', files: ['consumer.ts'], checksAll: true },
]

/** Its types need a newer version of @types/node, and vitest imports them if it is installed. */
const NEEDS_NEWER_NODE = '/node_modules/happy-dom/'

/** TypeScript 7 reports an error in this version of them. */
const TYPES_OF_NODE = '/node_modules/@types/node/'

it('covers every entry that has types', async () => {
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const entries = Object.entries<object>(exports).filter(([, target]) => 'types' in Object(target))
  for (const [entry, target] of entries) {
    const statement = `from '${entry.replace('.', 'petstore-mock')}'`
    expect((FOR_BOTH + FOR_JEST).includes(statement), entry).toBe('require' in target)
    expect((FOR_ES_MODULES + FOR_VITE).includes(statement), entry).toBe(!('require' in target))
  }
})

// A quarter of the time of TypeScript 5.
it.each(RESOLUTIONS)('compile $files with $moduleResolution in TypeScript 7', async (resolution) => {
  expect(await findErrorsInTypeScript7(installed.folder, resolution)).toEqual([])
})

it.each(isFullRun ? [NODE_10, ...RESOLUTIONS, ...SIMILAR_RESOLUTIONS] : [NODE_10])(
  'compile $files with $moduleResolution in TypeScript 5',
  (resolution) => {
    expect(findErrors(installed.folder, resolution)).toEqual([])
  },
)

const FLAGS = {
  noEmit: true,
  resolveJsonModule: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  target: 'es2022',
  lib: ['es2023', 'dom'],
}

/** The same as `findErrors`. */
async function findErrorsInTypeScript7(folder: string, resolution: Resolution): Promise<string[]> {
  const { files, checksAll = false, ...rest } = resolution
  // Everything is checked but the types of TypeScript itself.
  const compilerOptions = { ...FLAGS, ...rest, skipDefaultLibCheck: true, listFiles: true }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const compiler = [join(root, 'node_modules/typescript-7/bin/tsc'), '-p', '.', '--pretty', 'false']
  const { stdout } = await run('node', compiler, { cwd: folder }).catch((error: { stdout: string }) => error)
  const lines = stdout.split('\n')
  expect(lines.filter((line) => line.startsWith(folder)).length).toBeGreaterThan(50)
  const errors = stdout.matchAll(/^(?:(\S.*)\(\d+,\d+\): )?error .*(?:\n .*)*/gm)
  const ignored = checksAll ? [NEEDS_NEWER_NODE, TYPES_OF_NODE] : ['../']
  return [...errors].filter(([, file = '']) => !ignored.some((part) => file.includes(part))).map(([error]) => error)
}

/** The errors in files of a folder and in the package installed there, or in everything that they import. */
function findErrors(folder: string, { files, checksAll = false, ...resolution }: Resolution): string[] {
  const { options } = ts.convertCompilerOptionsFromJson({ ...FLAGS, ...resolution }, folder)
  const host = { ...ts.createCompilerHost(options), getCurrentDirectory: () => folder }
  const program = ts.createProgram(
    files.map((file) => join(folder, file)),
    options,
    host,
  )
  const sources = program.getSourceFiles()
  const ours = sources.filter(({ fileName }) => fileName.startsWith(folder))
  expect(ours.length).toBeGreaterThan(50)
  const checked = sources.filter(
    (source) => !program.isSourceFileDefaultLibrary(source) && !source.fileName.includes(NEEDS_NEWER_NODE),
  )
  return [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...(checksAll ? checked : ours).flatMap((source) => [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ]),
  ].map((error) => ts.formatDiagnostic(error, host))
}
