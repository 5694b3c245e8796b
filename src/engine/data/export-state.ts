import { type Id, toJsonInt64 } from '../lib/int64.js'
import type { Fixture, FixtureId, FixtureOrder } from './fixtures/format.js'
import type { PetstoreCollections } from './model.js'
import type { OrderRecord } from './records.js'

/** All data in the fixture format, with the next ids, so that an import continues exactly from here. */
export function exportState({ categories, pets, orders }: PetstoreCollections, specHash: string): Fixture {
  const allPets = [...pets.select({})]
  return {
    categories: [...categories.select({})].map(({ id, name, description }) => ({
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
    orders: [...orders.select({})].map(toFixtureOrder),
    nextIds: {
      categories: toFixtureId(categories.nextId),
      pets: toFixtureId(pets.nextId),
      orders: toFixtureId(orders.nextId),
    },
    specHash,
  }
}

/** Member by member: there may be a hundred thousand orders, and spreading takes several times as long. */
function toFixtureOrder({ id, petId, quantity, shipDate, complete }: OrderRecord): FixtureOrder {
  const order: FixtureOrder = { id: toFixtureId(id) }
  if (petId !== null) order.petId = toFixtureId(petId)
  if (quantity !== null) order.quantity = quantity
  if (shipDate !== null) order.shipDate = shipDate
  if (complete !== null) order.complete = complete
  return order
}

/** A number when that is exact, otherwise a string of digits: JSON has no bigint. */
function toFixtureId(id: Id): FixtureId {
  const value = toJsonInt64(id)
  return typeof value === 'bigint' ? id : value
}
