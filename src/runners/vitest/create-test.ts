import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestAPI, TestContext } from 'vitest'
import { TestRunner, test } from 'vitest'
import type { NodePetstore } from '../../adapters/node/index.js'
import {
  type AnyService,
  type NodeInterceptionOptions,
  type NodeMock,
  type ServiceDefinition,
  type ServiceTypes,
  setupMock,
} from '../../adapters/node/index.js'
import { keepIntercepting } from '../../adapters/node/interceptor.js'
import { runInScope } from '../../adapters/node/listeners.js'
import { checkUnlessReported } from '../../adapters/node/runner.js'
import type { TypesOf } from '../../engine/mock/create-mocks.js'
import { readServed } from '../../engine/mock/create-mocks.js'
import { once } from '../../lib/functions.js'
import { stringifyJson } from '../../lib/json.js'
import { recordCoverage } from './coverage-meta.js'

/** The suites, and files, whose tests are isolated. */
const isolatedSuites = new WeakSet<object>()

/** The tests with a mock. Others may be in the same suite. */
const isolatedTests = new WeakSet<object>()

/** Makes each test of a suite run in its own scope (see `runInScope`), including its hooks and fixtures. */
function isolateSuite(collector: ReturnType<typeof TestRunner.getCurrentSuite>): void {
  const suite = collector.suite ?? collector.file
  if (isolatedSuites.has(suite)) return
  isolatedSuites.add(suite)
  // Registered here, not with vitest's function `aroundEach`, which sets up the fixtures before it calls its hook.
  collector.on('aroundEach', (runTest, { task }) => {
    keepIntercepting(isolatedTests.has(task))
    return runInScope(runTest)
  })
  collector.on('afterAll', () => keepIntercepting(false))
}

/**
 * vitest's `test`, with each test in its own scope. Suites are isolated when they declare a test, and not only when this
 * module is imported, because with `isolate: false` all test files share one import.
 */
export const isolatedTest = TestRunner.createTaskCollector(function (
  this: ThisParameterType<typeof test.fn>,
  ...args: Parameters<typeof test.fn>
) {
  const collector = TestRunner.getCurrentSuite()
  isolateSuite(collector)
  test.fn.apply(this, args)
  const declared = collector.tasks.at(-1)
  if (declared !== undefined) isolatedTests.add(declared)
})

// At import as well, so that this is the outermost hook of the file.
isolateSuite(TestRunner.getCurrentSuite())

type Ending = Pick<TestContext, 'task' | 'onTestFinished'>

/** Closes a mock when its test has ended. vitest reports an error that is thrown after `use` more than once. */
export function closeAtEnd(mock: { close(): void }, { task, onTestFinished }: Ending): void {
  onTestFinished(() => checkUnlessReported(mock.close, task.result?.errors ?? []))
}

/** Writes a file that repeats the requests of a failed test. A later run replaces it. */
export function saveReproduction(folder: string, test: string, petstore: Pick<NodePetstore, 'reproduction'>): void {
  const file = join(folder, `${toFileName(test)}.petstore.json`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${stringifyJson(petstore.reproduction())}\n`)
  console.error(`petstore-mock: To repeat the requests of this test: npx petstore-mock replay ${file}`)
}

/** File systems limit a name in bytes, most of them to 255. */
const MAX_BYTES = 100

/** The end of the test's full name, which starts with its file, and a hash, since other tests may have the same end. */
function toFileName(test: string): string {
  const end = Buffer.from(test).subarray(-MAX_BYTES).toString()
  const hash = createHash('sha256').update(test).digest('hex').slice(0, 8)
  // Half a character at the cut is decoded as U+FFFD, which is no letter.
  return `${end} ${hash}`.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replace(/^-/, '')
}

/** A service that tests mock, and the options of its mock: `{ service: library, baseUrl: 'https://books.example' }`. */
export type ServiceOfTest<T extends ServiceTypes = AnyService> = NodeInterceptionOptions &
  T['options'] &
  (
    | { readonly service: ServiceDefinition<T> }
    | { /** An OpenAPI document, or the path of its file. */ readonly document: object | string }
  )

type Services = Readonly<
  Record<string, NodeInterceptionOptions & ({ readonly service: object } | { readonly document: object | string })>
>

type Mocks<S extends Services> = { readonly [Name in keyof S]: NodeMock<TypesOf<S[Name]>> }

export interface TestSettings {
  /** The folder for reproductions of failed tests, which `petstore-mock replay` repeats. Default: none are written. */
  readonly reproductions?: string
}

/**
 * vitest's `test` for services of your own: every test has a mock of each, by the name that it has here. They listen while the
 * test runs, and their handlers can use each other: `services.billing.data`.
 */
export function createTest<const S extends Services>(
  services: S,
  { reproductions: folder }: TestSettings = {},
): TestAPI<Mocks<S>> {
  const names = Object.keys(services)
  /** Those of a test, which connect to each other. */
  const mocksOf = new WeakMap<object, Record<string, NodeMock<AnyService>>>()
  const fixtures = names.map((name) => [name, [createFixture(name), { auto: true }]])
  return isolatedTest.extend(Object.fromEntries(fixtures)) as unknown as TestAPI<Mocks<S>>

  function createFixture(name: string) {
    const read = once(() => readServed(name, services[name] as Services[string]))
    return async ({ task, onTestFinished, onTestFailed }: TestContext, use: (mock: object) => Promise<void>) => {
      const mocks = mocksOf.get(task) ?? {}
      mocksOf.set(task, mocks)
      const { service, options } = await read()
      const mock = setupMock(service, { services: mocks, ...options })
      mocks[name] = mock
      await mock.ready
      mock.listen()
      onTestFinished(() => recordCoverage(task, mock.coverage(), name))
      closeAtEnd(mock, { task, onTestFinished })
      if (folder !== undefined) onTestFailed(() => saveReproduction(folder, `${task.fullName} ${name}`, mock))
      await use(mock)
    }
  }
}
