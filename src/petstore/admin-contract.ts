import { createContract } from '../engine/contract/contract.js'
import { once } from '../lib/once.js'
import { document } from './generated/admin-document.js'
import { validators } from './generated/admin-validators.js'

/** The control plane's contract: apart from the service's, because most who use the mock never come to need it. */
export const adminContract = once(() => createContract(document, validators))
