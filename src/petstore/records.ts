import type { Collections } from '../engine/store/store.js'
import type { components } from '../generated/petstore/openapi-types.js'
import type { Id } from '../lib/int64.js'

export type PetStatus = components['schemas']['PetStatus']

/* Records as they are stored. A change stores a new record. Types, not interfaces, so that the engine's any record fits. */

export type CategoryRecord = {
  readonly id: Id
  readonly name: string
  readonly description?: string | undefined
}

/**
 * A pet and its stock in one record. An inventory entry is a view of its pet, so it cannot be missing, left over, or
 * disagree with the pet about the status.
 */
export type PetRecord = {
  readonly id: Id
  readonly name: string
  readonly categoryId: Id
  readonly status: PetStatus
  readonly stock: number
}

export type OrderRecord = {
  readonly id: Id
  readonly petId?: Id | undefined
  readonly quantity?: number | undefined
  readonly shipDate?: string | undefined
  readonly complete?: boolean | undefined
}

export type PetstoreShape = {
  categories: { record: CategoryRecord; groupings: never }
  pets: { record: PetRecord; groupings: 'categoryId' }
  orders: { record: OrderRecord; groupings: 'petId' | 'openPetId' }
}

export type PetstoreCollections = Collections<PetstoreShape>
