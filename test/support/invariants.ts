import type {
  Fixture,
  FixtureId,
  FixtureInventoryItem,
  FixtureOrder,
  FixturePet,
} from '../../src/petstore/fixtures/format.js'

/**
 * Checks the invariants of the contract, written from the contract and not from the code under test. Returns a sentence
 * for each one that is broken.
 */
export function findBrokenInvariants(state: Fixture): string[] {
  const index = buildIndex(state)
  return [
    ...findRepeated(state.categories.map(({ id }) => id)).map((id) => `Two categories have the id ${id}.`),
    ...findRepeated(state.pets.map(({ id }) => id)).map((id) => `Two pets have the id ${id}.`),
    ...findRepeated(state.orders.map(({ id }) => id)).map((id) => `Two orders have the id ${id}.`),
    ...findRepeated(state.inventory.map(({ petId }) => petId)).map((id) => `Pet ${id} has two inventory entries.`),
    ...state.pets.flatMap((pet) => checkPet(pet, index)),
    ...state.inventory.flatMap((entry) => checkEntry(entry, index)),
    ...state.orders.flatMap((order) => checkOrder(order, index)),
  ]
}

interface StateIndex {
  categoryIds: Set<string>
  petIds: Set<string>
  petIdsWithOpenOrder: Set<string>
  entries: Map<string, FixtureInventoryItem>
}

function buildIndex(state: Fixture): StateIndex {
  return {
    categoryIds: new Set(state.categories.map(({ id }) => toKey(id))),
    petIds: new Set(state.pets.map(({ id }) => toKey(id))),
    petIdsWithOpenOrder: new Set(
      state.orders.flatMap((order) => (isOpen(order) && order.petId !== undefined ? [toKey(order.petId)] : [])),
    ),
    entries: new Map(state.inventory.map((entry) => [toKey(entry.petId), entry])),
  }
}

function findRepeated(ids: FixtureId[]): string[] {
  const seen = new Set<string>()
  return ids.map(toKey).filter((id) => seen.size === seen.add(id).size)
}

function checkPet(pet: FixturePet, index: StateIndex): string[] {
  const id = toKey(pet.id)
  const entry = index.entries.get(id)
  // A fixture may omit the status: then the inventory entry has it, or else the contract's default applies.
  const status = pet.status ?? entry?.status ?? 'available'
  const broken: string[] = []
  if (!index.categoryIds.has(toKey(pet.categoryId))) broken.push(`Pet ${id} has no category ${pet.categoryId}.`)
  if (status === 'sold' && index.petIdsWithOpenOrder.has(id)) broken.push(`Pet ${id} is sold with an open order.`)
  if (entry === undefined) return [...broken, `Pet ${id} has no inventory entry.`]
  if (entry.status !== status) broken.push(`Pet ${id} is ${status}, its inventory entry says ${entry.status}.`)
  if (status === 'available' && entry.quantity < 1) broken.push(`Pet ${id} is available without stock.`)
  if (status === 'sold' && entry.quantity > 0) broken.push(`Pet ${id} is sold with a stock of ${entry.quantity}.`)
  return broken
}

function checkEntry({ petId, quantity }: FixtureInventoryItem, index: StateIndex): string[] {
  const broken: string[] = []
  if (!index.petIds.has(toKey(petId))) broken.push(`An inventory entry is for pet ${petId}, which does not exist.`)
  if (!Number.isInteger(quantity) || quantity < 0) broken.push(`Pet ${petId} has a stock of ${quantity}.`)
  return broken
}

function checkOrder(order: FixtureOrder, index: StateIndex): string[] {
  const { id, petId, quantity = 1 } = order
  const broken: string[] = []
  if (isOpen(order) && petId !== undefined && !index.petIds.has(toKey(petId))) {
    broken.push(`Open order ${id} is for pet ${petId}, which does not exist.`)
  }
  if (!Number.isInteger(quantity) || quantity < 1) broken.push(`Order ${id} has a quantity of ${quantity}.`)
  return broken
}

/** 7, 7n and '7' are the same id. */
function toKey(id: FixtureId): string {
  return String(id)
}

function isOpen(order: FixtureOrder): boolean {
  return order.complete !== true
}
