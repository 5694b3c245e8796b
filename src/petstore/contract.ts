import { createContract } from '../engine/contract/contract.js'
import { once } from '../lib/once.js'
import { document } from './generated/openapi-document.js'
import { validators } from './generated/openapi-validators.js'

export { specHash } from './generated/spec-hash.js'

/** A contract holds no state of any pet store, so all of them share the one that is made first. */
export const storeContract = once(() => createContract(document, validators))
