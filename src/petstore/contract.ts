import { petstoreService } from './service.js'

export { specHash } from './generated/spec-hash.js'

/** A contract has no state, so all mocks share one. */
export const storeContract = () => petstoreService.contract
