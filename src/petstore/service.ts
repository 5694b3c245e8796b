import { defineWithResources, type ServiceDescription } from '../engine/mock/define-service.js'
import { createMock, type Mock } from '../engine/mock/mock.js'
import { document } from '../generated/petstore/openapi-document.js'
import { documentResources } from '../generated/petstore/openapi-resources.js'
import { validators } from '../generated/petstore/openapi-validators.js'
import { specHash } from '../generated/petstore/spec-hash.js'
import { findBrokenRules } from './consistency.js'
import { createOwnData } from './data.js'
import { STORE_STATUS_BY_CODE } from './errors.js'
import { scenarios } from './fixtures/scenarios.js'
import { operations } from './operations.js'
import type { PetstoreOptions } from './options.js'
import { resources } from './resources.js'
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

/**
 * The rules of the Pet Store, for a service file with another version of its document:
 * `defineService({ document, ...petstoreRules })`.
 */
export const petstoreRules: PetstoreRules = {
  errors: STORE_STATUS_BY_CODE,
  resources,
  // Their types are more precise than what the engine knows.
  operations: operations as never,
}

export interface PetstoreRules extends Required<Pick<ServiceDescription, 'errors' | 'resources' | 'operations'>> {}

/** The Pet Store: its OpenAPI document, and what the document does not say. */
export const petstoreService = defineWithResources<PetstoreTypes>(documentResources, {
  title: 'Pet Store API',
  mainResource: 'pets',
  document,
  validators,
  specHash,
  ...petstoreRules,
  findBrokenRules,
  createData: createOwnData,
  scenarios,
  loadDocument: async () => (await import('./documents.js')).openapi,
})
