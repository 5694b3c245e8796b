import { toJsonInt64 } from '../contract/int64.js'
import type { Fixture } from '../fixtures/format.js'
import type { CategoryRecord, OrderRecord, PetRecord } from '../model/records.js'
import type { World } from '../model/world.js'

/** Everything a world holds, in the fixture format, with what is needed to go on exactly from there. */
export function exportState({ categories, pets, orders }: World, specHash: string): Fixture {
  const allPets = [...pets.select({})]
  return {
    categories: [...categories.select({})].map(toCategory),
    pets: allPets.map(toPet),
    inventory: allPets.map(toInventoryItem),
    orders: [...orders.select({})].map(toOrder),
    nextIds: {
      categories: toJsonInt64(categories.nextId),
      pets: toJsonInt64(pets.nextId),
      orders: toJsonInt64(orders.nextId),
    },
    specHash,
  }
}

function toCategory({ id, name, description }: CategoryRecord): Fixture['categories'][number] {
  return { id: toJsonInt64(id), name, ...(description !== null && { description }) }
}

function toPet({ id, name, categoryId, status }: PetRecord): Fixture['pets'][number] {
  return { id: toJsonInt64(id), name, categoryId: toJsonInt64(categoryId), status }
}

function toInventoryItem({ id, stock, status }: PetRecord): Fixture['inventory'][number] {
  return { petId: toJsonInt64(id), quantity: stock, status }
}

function toOrder({ id, petId, quantity, shipDate, complete }: OrderRecord): Fixture['orders'][number] {
  return {
    id: toJsonInt64(id),
    ...(petId !== null && { petId: toJsonInt64(petId) }),
    ...(quantity !== null && { quantity }),
    ...(shipDate !== null && { shipDate }),
    ...(complete !== null && { complete }),
  }
}
