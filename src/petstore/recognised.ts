import { petstoreService } from './service.js'

/** What tells a Pet Store API from another service. */
export function recognisedPetstore() {
  const { contract, resources } = petstoreService
  return { contract, resources, description: 'a Pet Store API' }
}
