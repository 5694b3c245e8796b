import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals'
import {
  type NodeInterceptionOptions,
  type NodeMock,
  type NodeOptions,
  type NodePetstore,
  type ServiceDefinition,
  type ServiceTypes,
  setupMock as setupMockInNode,
  setupPetstore as setupPetstoreInNode,
} from '../../adapters/node/index.js'
import { type PetstoreMatchers, petstoreMatchers } from '../assertions/matchers.js'

export * from '../../adapters/node/index.js'
export type { PetstoreMatchers } from '../assertions/matchers.js'
export type { ExpectedRequest, ExpectedRequestFor } from '../assertions/received.js'

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
  return share(setupPetstoreInNode(options))
}

/** The same for a service of your own. */
export function setupMock<T extends ServiceTypes>(
  service: ServiceDefinition<T>,
  options: T['options'] & NodeInterceptionOptions = {},
): NodeMock<T> {
  return share(setupMockInNode(service, options))
}

interface SharedMock {
  readonly ready: Promise<void>
  listen(): void
  reset(): void
  check(): void
  close(): void
}

function share<M extends SharedMock>(mock: M): M {
  beforeAll(async () => {
    await mock.ready
    mock.listen()
  })
  // Not after each test: your own hooks can still read the journal then, and may send requests.
  beforeEach(() => mock.reset())
  afterEach(mock.check)
  afterAll(mock.close)
  return mock
}
