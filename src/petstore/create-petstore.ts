import { createMock, type Mock } from '../engine/mock.js'
import type { PetstoreOptions } from './options.js'
import { petstoreService } from './service.js'
import type { PetstoreTypes } from './types.js'

/** A mock of the Pet Store API: the root instance, which also has the registry of sandboxes. */
export interface Petstore extends Mock<PetstoreTypes> {}

/** Creates a mock in memory, for code that accepts a `fetch` function and for arranging data by hand. */
export function createPetstore(options: PetstoreOptions = {}): Petstore {
  return createPetstoreMock(options).mock
}

/** For adapters, which report errors that the code under test may swallow. */
export function createPetstoreMock(options: PetstoreOptions) {
  return createMock(petstoreService, options)
}
