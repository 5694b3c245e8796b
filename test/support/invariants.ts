import type {
  Fixture,
  FixtureId,
  FixtureInventoryItem,
  FixtureOrder,
  FixturePet,
} from '../../src/petstore/fixtures/format.js'

/**
 * The contract's invariants, written from the contract and not from the code under test. Every broken one is a
 * sentence; a sound world gives an empty list.
 */
export function findBrokenInvariants(world: Fixture): string[] {
  const index = buildIndex(world)
  return [
    ...findRepeated(world.categories.map(({ id }) => id)).map((id) => `Two categories have the id ${id}.`),
    ...findRepeated(world.pets.map(({ id }) => id)).map((id) => `Two pets have the id ${id}.`),
    ...findRepeated(world.orders.map(({ id }) => id)).map((id) => `Two orders have the id ${id}.`),
    ...findRepeated(world.inventory.map(({ petId }) => petId)).map((id) => `Pet ${id} has two inventory entries.`),
    ...world.pets.flatMap((pet) => checkPet(pet, index)),
    ...world.inventory.flatMap((entry) => checkEntry(entry, index)),
    ...world.orders.flatMap((order) => checkOrder(order, index)),
  ]
}

interface WorldIndex {
  categoryIds: Set<string>
  petIds: Set<string>
  petIdsWithOpenOrder: Set<string>
  entries: Map<string, FixtureInventoryItem>
}

function buildIndex(world: Fixture): WorldIndex {
  return {
    categoryIds: new Set(world.categories.map(({ id }) => spell(id))),
    petIds: new Set(world.pets.map(({ id }) => spell(id))),
    petIdsWithOpenOrder: new Set(
      world.orders.flatMap((order) => (isOpen(order) && order.petId !== undefined ? [spell(order.petId)] : [])),
    ),
    entries: new Map(world.inventory.map((entry) => [spell(entry.petId), entry])),
  }
}

function findRepeated(ids: FixtureId[]): string[] {
  const seen = new Set<string>()
  return ids.map(spell).filter((id) => seen.size === seen.add(id).size)
}

function checkPet(pet: FixturePet, index: WorldIndex): string[] {
  const id = spell(pet.id)
  const entry = index.entries.get(id)
  // A fixture may leave the status out; then the inventory entry says it, and without one the contract's default holds.
  const status = pet.status ?? entry?.status ?? 'available'
  const broken: string[] = []
  if (!index.categoryIds.has(spell(pet.categoryId))) broken.push(`Pet ${id} has no category ${pet.categoryId}.`)
  if (status === 'sold' && index.petIdsWithOpenOrder.has(id)) broken.push(`Pet ${id} is sold with an open order.`)
  if (entry === undefined) return [...broken, `Pet ${id} has no inventory entry.`]
  if (entry.status !== status) broken.push(`Pet ${id} is ${status}, its inventory entry says ${entry.status}.`)
  if (status === 'available' && entry.quantity < 1) broken.push(`Pet ${id} is available without stock.`)
  if (status === 'sold' && entry.quantity > 0) broken.push(`Pet ${id} is sold with a stock of ${entry.quantity}.`)
  return broken
}

function checkEntry({ petId, quantity }: FixtureInventoryItem, index: WorldIndex): string[] {
  const broken: string[] = []
  if (!index.petIds.has(spell(petId))) broken.push(`An inventory entry counts pet ${petId}, which does not exist.`)
  if (!Number.isInteger(quantity) || quantity < 0) broken.push(`Pet ${petId} has a stock of ${quantity}.`)
  return broken
}

function checkOrder(order: FixtureOrder, index: WorldIndex): string[] {
  const { id, petId, quantity = 1 } = order
  const broken: string[] = []
  if (isOpen(order) && petId !== undefined && !index.petIds.has(spell(petId))) {
    broken.push(`Open order ${id} is for pet ${petId}, which does not exist.`)
  }
  if (!Number.isInteger(quantity) || quantity < 1) broken.push(`Order ${id} has a quantity of ${quantity}.`)
  return broken
}

/** 7, 7n and '7' are the same id. */
function spell(id: FixtureId): string {
  return String(id)
}

function isOpen(order: FixtureOrder): boolean {
  return order.complete !== true
}
