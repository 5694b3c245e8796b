import { expect } from 'vitest'
import { type NodeOptions, type NodePetstore, setupPetstore } from '../../adapters/node/index.js'
import { type PetstoreMatchers, petstoreMatchers } from '../assertions/matchers.js'
import { recordCoverage } from './coverage-meta.js'
import { closeAtEnd, isolatedTest, saveReproduction } from './create-test.js'

export * from '../../adapters/node/index.js'
export type { PetstoreMatchers } from '../assertions/matchers.js'
export type { ExpectedRequest, ExpectedRequestFor } from '../assertions/received.js'
export { recordCoverage } from './coverage-meta.js'
export { createTest, type ServiceOfTest } from './create-test.js'
export { expect }

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: an interface is merged only with one that has the same parameters
  interface Matchers<T = any> extends PetstoreMatchers<T> {}
}

expect.extend(petstoreMatchers)

export interface PetstoreFixtures {
  /** The options of the test's mock; set them with `test.extend('petstoreOptions', { baseUrl: … })`. Default: `{}`. */
  petstoreOptions: NodeOptions
  /**
   * The folder for reproductions of failed tests, which `petstore-mock replay` repeats; set it with
   * `test.extend('petstoreReproductions', 'test-results')`. Default: none are written.
   */
  petstoreReproductions: string | undefined
  /** The test's own mock, which listens while the test runs. Unhandled requests fail the test. */
  petstore: NodePetstore
}

/** vitest's `test`, with a separate mock for every test, concurrent tests included. */
export const test = isolatedTest.extend<PetstoreFixtures>({
  petstoreOptions: {},
  petstoreReproductions: undefined,
  petstore: [
    async ({ petstoreOptions, petstoreReproductions: folder, task, onTestFinished, onTestFailed }, use) => {
      const petstore = setupPetstore(petstoreOptions)
      await petstore.ready
      petstore.listen()
      onTestFinished(() => recordCoverage(task, petstore.coverage(), 'petstore'))
      closeAtEnd(petstore, { task, onTestFinished })
      if (folder !== undefined) onTestFailed(() => saveReproduction(folder, task.fullName, petstore))
      await use(petstore)
    },
    // Also for a test that does not use the fixture, which must not reach the network either.
    { auto: true },
  ],
})
