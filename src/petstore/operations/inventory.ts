import type { PetRecord } from '../records.js'
import type { QueryOf } from '../types.js'
import { findPet } from './find.js'
import { createList, type Filter, hasStatus } from './lists.js'
import type { Handler } from './operation.js'
import { rulesOf } from './rules.js'

const list = createList<PetRecord, 'categoryId', QueryOf<'listInventory'>>({
  sortFields: {
    ids: { petId: (pet) => pet.id },
    values: { quantity: (pet) => pet.stock, status: (pet) => pet.status },
  },
  filter: ({ status, maxQuantity }) => ({
    linkParameters: { status: status && [...new Set(status)], maxQuantity: maxQuantity?.toString() },
    filters: [hasStatus(status), hasAtMost(maxQuantity)],
  }),
})

const toInventoryItem = (pet: PetRecord) => ({ petId: pet.id, quantity: pet.stock, status: pet.status })

export const listInventory: Handler<'listInventory'> = ({ store, query, base }) => {
  const page = list(store.pets, query, `${base}/store/inventory`)
  return { ...page, body: page.body.map(toInventoryItem) }
}

function hasAtMost(quantity: number | undefined): Filter<PetRecord> | undefined {
  return quantity === undefined ? undefined : { key: `stock<=${quantity}`, test: (pet) => pet.stock <= quantity }
}

export const getInventory: Handler<'getInventory'> = ({ store, path }) => {
  return { status: 200, body: toInventoryItem(findPet(store, path.petId)) }
}

export const updateInventory: Handler<'updateInventory'> = ({ store, options, path, body }) => {
  const rules = rulesOf(options)
  const pet = findPet(store, path.petId)
  rules.requireStockQuantity(body.quantity)
  const restocked = rules.restock(pet, body.quantity, store.orders.countIn('openPetId', pet.id))
  return { status: 200, body: toInventoryItem(store.pets.replace(restocked)) }
}
