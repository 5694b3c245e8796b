import { createContract } from './contract.js'
import { document } from './generated/control-document.js'
import { validators } from './generated/control-validators.js'
import { once } from './once.js'

/** The control plane's contract: apart from the service's, because most who use the mock never come to need it. */
export const controlContract = once(() => createContract(document, validators))
