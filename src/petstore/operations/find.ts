import { ApiError } from '../../engine/contract/errors.js'
import { type JsonInt64, toId } from '../../lib/int64.js'
import type { CategoryRecord, OrderRecord, PetRecord } from '../records.js'
import type { World } from '../world.js'

/** The record an id in the path speaks of, or the 404 that says which one is missing. */
export function findPet(world: World, petId: JsonInt64): PetRecord {
  const pet = world.pets.get(toId(petId))
  if (pet === undefined) throw new ApiError('PET_NOT_FOUND', `there is no pet with id ${petId}`)
  return pet
}

export function findCategory(world: World, categoryId: JsonInt64): CategoryRecord {
  const category = world.categories.get(toId(categoryId))
  if (category === undefined) throw new ApiError('CATEGORY_NOT_FOUND', `there is no category with id ${categoryId}`)
  return category
}

export function findOrder(world: World, orderId: JsonInt64): OrderRecord {
  const order = world.orders.get(toId(orderId))
  if (order === undefined) throw new ApiError('ORDER_NOT_FOUND', `there is no order with id ${orderId}`)
  return order
}
