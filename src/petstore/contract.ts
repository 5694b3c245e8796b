import { petstoreService } from './service.js'

/** A contract has no state, so all mocks share one. */
export const storeContract = () => petstoreService.contract
