import type { BrokenRulesSearch, ValidEntry } from '../engine/data/format.js'
import { type IdKey, toIdKey } from '../lib/int64.js'
import type { Steps } from '../lib/steps.js'
import type { Fixture, FixtureId, FixtureInventoryItem, FixtureOrder, FixturePet } from './fixtures/format.js'

interface ValidEntries {
  readonly pets: readonly ValidEntry<FixturePet>[]
  readonly inventory: readonly ValidEntry<FixtureInventoryItem>[]
  readonly orders: readonly ValidEntry<FixtureOrder>[]
}

export const isOpen = ({ complete }: { readonly complete?: boolean | undefined }) => !complete

/** Status and stock as the store will have them. */
function readPet(pet: FixturePet, entry: FixtureInventoryItem | undefined) {
  const status = pet.status ?? entry?.status ?? 'available'
  return { status, stock: entry?.quantity ?? stockOf({ status }) }
}

/** The stock of a pet that has none given. */
export const stockOf = ({ status }: { readonly status: string }) => (status === 'sold' ? 0 : 1)

/** Reports pets, stock and orders that the store rules could not have produced. */
export function* findBrokenRules({ lists, valid, own, report }: BrokenRulesSearch): Steps<void> {
  yield
  const entries = valid as unknown as ValidEntries
  const inventory = lists.inventory as Fixture['inventory']
  const inventoryIndexes = lastByPet(entries.inventory)
  const openOrderIndexes = lastByPet(entries.orders, isOpen)
  /** Pets from a scenario that are sold although the fixture has open orders for them. */
  const soldPets = new Map<IdKey | undefined, FixtureId>()
  const statuses = new Map<IdKey | undefined, string>()

  for (const { index, item } of entries.pets) {
    yield
    const key = toIdKey(item.id)
    const inventoryIndex = inventoryIndexes.get(key)
    const entry = inventoryIndex === undefined ? undefined : inventory[inventoryIndex]
    const { status, stock } = readPet(item, entry)
    const { id } = item
    statuses.set(key, status)
    const reportPet = (what: string) => report('pets', index, `/status is ${status}, but pet ${id} has ${what}.`)
    const isOwn = index < own('pets')
    if ((status === 'available' && stock === 0) || (status === 'sold' && stock > 0)) {
      if (isOwn || inventoryIndex === undefined) reportPet(stock === 0 ? 'no stock' : `a stock of ${stock}`)
      else report('inventory', inventoryIndex, `/quantity is ${stock}, but pet ${id} is ${status}.`)
    }
    if (status === 'sold' && openOrderIndexes.has(key)) {
      if (isOwn) reportPet('an open order')
      else soldPets.set(key, id)
    }
  }

  yield
  for (const { index, item } of entries.inventory) {
    const { petId, quantity, status } = item
    const expected = statuses.get(toIdKey(petId))
    if (quantity < 0) {
      report('inventory', index, `/quantity must be 0 or more, but is ${quantity}.`)
    }
    if (expected !== undefined && expected !== status) {
      report('inventory', index, `/status is ${status}, but pet ${petId} is ${expected}.`)
    }
  }

  yield
  for (const { index, item } of entries.orders) {
    if (item.quantity !== undefined && item.quantity < 1) {
      report('orders', index, `/quantity must be 1 or more, but is ${item.quantity}.`)
    }
    const soldPet = isOpen(item) ? soldPets.get(toIdKey(item.petId)) : undefined
    if (soldPet !== undefined) report('orders', index, `/petId refers to pet ${soldPet}, which is sold.`)
  }
}

/** The index of the last entry for each pet. */
function lastByPet<T extends { petId?: FixtureId }>(
  entries: Iterable<ValidEntry<T>>,
  matches: (item: T) => boolean = () => true,
): Map<IdKey | undefined, number> {
  const last = new Map<IdKey | undefined, number>()
  for (const { index, item } of entries) {
    if (matches(item)) last.set(toIdKey(item.petId), index)
  }
  return last
}
