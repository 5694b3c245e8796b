import type { VerifiedService } from '../../remote/verify/verify.js'
import { openapi } from '../documents.js'
import { recognisedPetstore } from '../recognised.js'
import { petstoreService } from '../service.js'
import { categoryChecks } from './categories.js'
import { inventoryChecks } from './inventory.js'
import { createListedOrders } from './lists.js'
import { orderChecks } from './orders.js'
import { petChecks } from './pets.js'

/** The Pet Store as `verify` checks it, with the checks of its rules. */
export function verifiedPetstore(): VerifiedService {
  return {
    ...recognisedPetstore(),
    document: openapi.document,
    errorCodes: petstoreService.errorCodes,
    // Orders change the status of a pet, and its stock.
    changing: { pets: ['status'], orders: ['complete'] },
    affecting: { orders: ['petId'] },
    checks: [...categoryChecks, ...petChecks, ...inventoryChecks, ...orderChecks],
    lists: { orders: createListedOrders },
  }
}
