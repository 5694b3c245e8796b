import { createContract } from '../engine/contract/contract.js'
import { once } from '../lib/once.js'
import { document } from './generated/openapi-document.js'
import { validators } from './generated/openapi-validators.js'

export { specHash } from './generated/spec-hash.js'

/** A contract has no state, so all mocks share one. */
export const storeContract = once(() => createContract(document, validators))
