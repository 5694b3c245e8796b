import type { VerifiedService } from '../../tools/verify/verify.js'
import { openapi } from '../documents.js'
import { recognisedPetstore } from '../recognised.js'
import { petstoreService } from '../service.js'
import { promises } from './promises.js'

/** The Pet Store as `verify` checks it, with the checks of its rules. */
export function verifiedPetstore(): VerifiedService {
  return {
    ...recognisedPetstore(),
    document: openapi.document,
    errorCodes: petstoreService.errorCodes,
    isExact: true,
    promises,
  }
}
