import { defineWithResources } from '../engine/define-service.js'
import { findBrokenRules } from './consistency.js'
import { createOwnData } from './data.js'
import { STORE_STATUS_BY_CODE } from './errors.js'
import { scenarios } from './fixtures/scenarios.js'
import { document } from './generated/openapi-document.js'
import { documentResources } from './generated/openapi-resources.js'
import { validators } from './generated/openapi-validators.js'
import { specHash } from './generated/spec-hash.js'
import { operations } from './operations.js'
import { resources } from './resources.js'
import type { PetstoreTypes } from './types.js'

/** The Pet Store: its OpenAPI document, and what the document does not say. */
export const petstoreService = defineWithResources<PetstoreTypes>(documentResources, {
  title: 'Pet Store API',
  mainResource: 'pets',
  document,
  validators,
  specHash,
  errors: STORE_STATUS_BY_CODE,
  resources,
  // Their types are more precise than what the engine knows.
  operations: operations as never,
  findBrokenRules,
  createData: createOwnData,
  scenarios,
  loadDocument: async () => (await import('./documents.js')).openapi,
})
