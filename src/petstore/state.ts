import { type Id, toJsonInt64 } from '../lib/int64.js'
import type { Fixture, FixtureId } from './fixtures/format.js'
import type { PetstoreCollections } from './model.js'
import type { CategoryRecord, OrderRecord, PetRecord } from './records.js'

/** All data in the fixture format, with the next ids, so that an import continues exactly from here. */
export function exportState({ categories, pets, orders }: PetstoreCollections, specHash: string): Fixture {
  const allPets = [...pets.select({})]
  return {
    categories: [...categories.select({})].map(toCategory),
    pets: allPets.map(toPet),
    inventory: allPets.map(toInventoryItem),
    orders: [...orders.select({})].map(toOrder),
    nextIds: {
      categories: toFixtureId(categories.nextId),
      pets: toFixtureId(pets.nextId),
      orders: toFixtureId(orders.nextId),
    },
    specHash,
  }
}

function toCategory({ id, name, description }: CategoryRecord): Fixture['categories'][number] {
  return { id: toFixtureId(id), name, ...(description !== null && { description }) }
}

function toPet({ id, name, categoryId, status }: PetRecord): Fixture['pets'][number] {
  return { id: toFixtureId(id), name, categoryId: toFixtureId(categoryId), status }
}

function toInventoryItem({ id, stock, status }: PetRecord): Fixture['inventory'][number] {
  return { petId: toFixtureId(id), quantity: stock, status }
}

function toOrder({ id, petId, quantity, shipDate, complete }: OrderRecord): Fixture['orders'][number] {
  return {
    id: toFixtureId(id),
    ...(petId !== null && { petId: toFixtureId(petId) }),
    ...(quantity !== null && { quantity }),
    ...(shipDate !== null && { shipDate }),
    ...(complete !== null && { complete }),
  }
}

/** A number when that is exact, otherwise a string of digits: JSON has no bigint. */
function toFixtureId(id: Id): FixtureId {
  const value = toJsonInt64(id)
  return typeof value === 'bigint' ? id : value
}
