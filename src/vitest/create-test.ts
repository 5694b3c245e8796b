import type { TestAPI, TestContext } from 'vitest'
import {
  type AnyService,
  type NodeInterceptionOptions,
  type NodeMock,
  type ServiceDefinition,
  type ServiceTypes,
  setupMock,
} from '../adapters/node/index.js'
import type { TypesOf } from '../engine/create-mocks.js'
import { once } from '../lib/once.js'
import { readServed } from '../petstore/documents-served.js'
import { closeAtEnd } from './close-at-end.js'
import { recordCoverage } from './coverage-meta.js'
import { isolatedTest } from './isolated-test.js'
import { saveReproduction } from './save-reproduction.js'

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
