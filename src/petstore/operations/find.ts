import { type JsonInt64, toId } from '../../lib/int64.js'
import { storeError } from '../errors.js'
import type { PetstoreCollections } from '../model.js'
import type { CategoryRecord, OrderRecord, PetRecord } from '../records.js'

/* The record with the id in the path. Throws a 404 error when there is none. */

export function findPet(store: PetstoreCollections, id: JsonInt64): PetRecord {
  return store.pets.get(toId(id)) ?? notFound('pet', id)
}

export function findCategory(store: PetstoreCollections, id: JsonInt64): CategoryRecord {
  return store.categories.get(toId(id)) ?? notFound('category', id)
}

export function findOrder(store: PetstoreCollections, id: JsonInt64): OrderRecord {
  return store.orders.get(toId(id)) ?? notFound('order', id)
}

const CODES = { pet: 'PET_NOT_FOUND', category: 'CATEGORY_NOT_FOUND', order: 'ORDER_NOT_FOUND' } as const

function notFound(kind: keyof typeof CODES, id: JsonInt64): never {
  throw storeError(CODES[kind], `No ${kind} has the id ${id}.`)
}
