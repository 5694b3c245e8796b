import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals'
import { type NodeOptions, type NodePetstore, setupPetstore as setupInNode } from '../adapters/node/index.js'
import { type PetstoreMatchers, petstoreMatchers } from '../assertions/matchers.js'

export * from '../adapters/node/index.js'
export type { PetstoreMatchers } from '../assertions/matchers.js'
export type { ExpectedRequest } from '../assertions/received.js'

/** The types of `@jest/globals`. */
declare module 'expect' {
  interface Matchers<R, T> extends PetstoreMatchers<T> {}
}

/** The types of `@types/jest`. */
declare global {
  namespace jest {
    interface Matchers<R, T> extends PetstoreMatchers<T> {}
  }
}

expect.extend(petstoreMatchers)

/**
 * Creates a mock that the tests of the file, or of a `describe` block, share. It listens before all of them, is reset before
 * each, reports after each what the code under test has swallowed, and closes after all.
 */
export function setupPetstore(options: NodeOptions = {}): NodePetstore {
  const petstore = setupInNode(options)
  beforeAll(async () => {
    await petstore.ready
    petstore.listen()
  })
  // Not after each test: your own hooks can still read the journal then, and may send requests.
  beforeEach(() => petstore.reset())
  afterEach(petstore.check)
  afterAll(petstore.close)
  return petstore
}
