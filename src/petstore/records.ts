import type { Id } from '../lib/int64.js'
import type { components } from './generated/openapi-types.js'

export type PetStatus = components['schemas']['PetStatus']

/** Records as they are stored. Null means that the field is missing. A change stores a new record. */
export interface CategoryRecord {
  readonly id: Id
  readonly name: string
  readonly description: string | null
}

/**
 * A pet and its stock in one record. An inventory entry is a view of its pet, so it cannot be missing, left over, or
 * disagree with the pet about the status.
 */
export interface PetRecord {
  readonly id: Id
  readonly name: string
  readonly categoryId: Id
  readonly status: PetStatus
  readonly stock: number
}

export interface OrderRecord {
  readonly id: Id
  readonly petId: Id | null
  readonly quantity: number | null
  readonly shipDate: string | null
  readonly complete: boolean | null
}
