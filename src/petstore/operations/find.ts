import { type JsonInt64, toId } from '../../lib/int64.js'
import { storeError } from '../errors.js'
import type { PetstoreCollections } from '../model.js'
import type { CategoryRecord, OrderRecord, PetRecord } from '../records.js'

/* The record with the id in the path. Throws a 404 error when there is none. */

export function findPet(store: PetstoreCollections, petId: JsonInt64): PetRecord {
  const pet = store.pets.get(toId(petId))
  if (pet === undefined) throw storeError('PET_NOT_FOUND', `No pet has the id ${petId}.`)
  return pet
}

export function findCategory(store: PetstoreCollections, categoryId: JsonInt64): CategoryRecord {
  const category = store.categories.get(toId(categoryId))
  if (category === undefined) throw storeError('CATEGORY_NOT_FOUND', `No category has the id ${categoryId}.`)
  return category
}

export function findOrder(store: PetstoreCollections, orderId: JsonInt64): OrderRecord {
  const order = store.orders.get(toId(orderId))
  if (order === undefined) throw storeError('ORDER_NOT_FOUND', `No order has the id ${orderId}.`)
  return order
}
