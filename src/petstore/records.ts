import type { Id } from '../lib/int64.js'
import type { components } from './generated/openapi-types.js'

export type PetStatus = components['schemas']['PetStatus']

/** What the store keeps. Null stands for a field that is not there; records are frozen and replaced, never changed. */
export interface CategoryRecord {
  readonly id: Id
  readonly name: string
  readonly description: string | null
}

/**
 * A pet and its stock in one record: an inventory entry is a view of its pet, so it cannot be missing, be left over,
 * or disagree with the pet about the status.
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

/** All records of a world, in no particular order. */
export interface Records {
  readonly categories: readonly CategoryRecord[]
  readonly pets: readonly PetRecord[]
  readonly orders: readonly OrderRecord[]
}
