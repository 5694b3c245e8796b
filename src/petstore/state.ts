import type { ListRecords } from '../engine/service.js'
import { type Id, toJsonInt64 } from '../lib/int64.js'
import type { Fixture, FixtureId } from './fixtures/format.js'
import type { PetstoreCollections } from './model.js'

/** All data in the fixture format, with the next ids, so that an import continues exactly from here. */
export function exportState(
  { categories, pets, orders }: PetstoreCollections,
  list: ListRecords,
  specHash: string,
): Fixture {
  const allPets = list(pets.select({}))
  return {
    categories: list(categories.select({})).map(({ id, name, description }) => ({
      id: toFixtureId(id),
      name,
      ...(description !== null && { description }),
    })),
    pets: allPets.map(({ id, name, categoryId, status }) => ({
      id: toFixtureId(id),
      name,
      categoryId: toFixtureId(categoryId),
      status,
    })),
    inventory: allPets.map(({ id, stock, status }) => ({ petId: toFixtureId(id), quantity: stock, status })),
    orders: list(orders.select({})).map(({ id, petId, quantity, shipDate, complete }) => ({
      id: toFixtureId(id),
      ...(petId !== null && { petId: toFixtureId(petId) }),
      ...(quantity !== null && { quantity }),
      ...(shipDate !== null && { shipDate }),
      ...(complete !== null && { complete }),
    })),
    nextIds: {
      categories: toFixtureId(categories.nextId),
      pets: toFixtureId(pets.nextId),
      orders: toFixtureId(orders.nextId),
    },
    specHash,
  }
}

/** A number when that is exact, otherwise a string of digits: JSON has no bigint. */
function toFixtureId(id: Id): FixtureId {
  const value = toJsonInt64(id)
  return typeof value === 'bigint' ? id : value
}
