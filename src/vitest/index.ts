import { expect, test as plainTest } from 'vitest'
import { type NodeOptions, type NodePetstore, setupPetstore } from '../adapters/node/index.js'
import { recordCoverage } from './coverage-meta.js'
import { inContext } from './in-context.js'
import { type PetstoreMatchers, petstoreMatchers } from './matchers.js'

export * from '../adapters/node/index.js'
export { recordCoverage } from './coverage-meta.js'
export type { PetstoreMatchers } from './matchers.js'
export type { ExpectedRequest } from './received.js'
export { expect }

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: an interface is merged only with one that has the same parameters
  interface Matchers<T = any> extends PetstoreMatchers {}
}

expect.extend(petstoreMatchers)

export interface PetstoreFixtures {
  /** What the test's pet store is set up with: `test.extend('petstoreOptions', { baseUrl: … })`. */
  petstoreOptions: NodeOptions
  /** A fresh pet store that listens while the test runs. It is closed afterwards, and fails the test for what it saw. */
  petstore: NodePetstore
}

const extendedTest = plainTest.extend<PetstoreFixtures>({
  petstoreOptions: {},
  petstore: [
    async ({ petstoreOptions, task, onTestFinished }, use) => {
      const petstore = setupPetstore(petstoreOptions)
      await petstore.ready
      petstore.listen()
      // Vitest reports what is thrown after `use` several times.
      onTestFinished(() => {
        recordCoverage(task, petstore.coverage())
        petstore.close()
      })
      await use(petstore)
    },
    // A test that does not ask for it must not reach the network either.
    { auto: true },
  ],
})

/** Vitest's `test` with a pet store of its own for every test, concurrent ones included. */
export const test: typeof extendedTest = inContext(extendedTest)
