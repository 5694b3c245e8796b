import type { QueryOf } from '../../engine/contract/types.js'
import type { PetRecord } from '../records.js'
import { findPet } from './find.js'
import { createList, type Filter, hasStatus } from './lists.js'
import type { Handler } from './operation.js'

const list = createList<PetRecord, QueryOf<'listInventory'>>({
  sortFields: {
    ids: { petId: (pet) => pet.id },
    values: { quantity: (pet) => pet.stock, status: (pet) => pet.status },
  },
  narrow: ({ status, maxQuantity }) => ({
    kept: { status: status && [...new Set(status)], maxQuantity: maxQuantity?.toString() },
    filters: [hasStatus(status), hasAtMost(maxQuantity)],
  }),
})

/** The inventory entry that a pet's record holds. */
const toInventoryItem = (pet: PetRecord) => ({ petId: pet.id, quantity: pet.stock, status: pet.status })

export const listInventory: Handler<'listInventory'> = ({ world, query, base }) => {
  const { items, headers } = list(world.pets, query, `${base}/store/inventory`)
  return { status: 200, body: items.map(toInventoryItem), headers }
}

function hasAtMost(quantity: number | undefined): Filter<PetRecord> | undefined {
  return quantity === undefined ? undefined : { key: `stock<=${quantity}`, test: (pet) => pet.stock <= quantity }
}

export const getInventory: Handler<'getInventory'> = ({ world, path }) => {
  return { status: 200, body: toInventoryItem(findPet(world, path.petId)) }
}

export const updateInventory: Handler<'updateInventory'> = ({ world, rules, path, body }) => {
  const pet = findPet(world, path.petId)
  rules.requireStockQuantity(body.quantity)
  const restocked = rules.restock(pet, body.quantity, world.orders.countIn('openPetId', pet.id))
  return { status: 200, body: toInventoryItem(world.pets.replace(restocked)) }
}
