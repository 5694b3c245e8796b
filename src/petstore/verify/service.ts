import type { VerifiedService } from '../../remote/verify/verify.js'
import { petstoreService } from '../service.js'
import { categoryChecks } from './categories.js'
import { inventoryChecks } from './inventory.js'
import { orderChecks } from './orders.js'
import { petChecks } from './pets.js'

/** The Pet Store as `verify` checks it, with the checks of its rules. */
export const verifiedPetstore: VerifiedService = {
  contract: petstoreService.contract,
  resources: petstoreService.resources,
  checks: [...categoryChecks, ...petChecks, ...inventoryChecks, ...orderChecks],
}
