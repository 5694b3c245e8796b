import {
  type BaseCollection,
  Collection,
  type CollectionSnapshot,
  createBaseCollection,
} from '../engine/store/collection.js'
import { openDatabase } from '../engine/store/database.js'
import { LayeredMap } from '../engine/store/layered-map.js'
import type { Id } from '../lib/int64.js'
import type { CategoryRecord, OrderRecord, PetRecord, Records } from './records.js'

/** A starting state that never changes, and that any number of worlds can lie over. */
export interface BaseWorld {
  readonly categories: BaseCollection<CategoryRecord>
  readonly pets: BaseCollection<PetRecord>
  readonly orders: BaseCollection<OrderRecord>
}

/** A moment of a world, to come back to: holds what differs from the starting state, and belongs to that alone. */
export interface WorldSnapshot {
  readonly categories: CollectionSnapshot<CategoryRecord>
  readonly pets: CollectionSnapshot<PetRecord>
  readonly orders: CollectionSnapshot<OrderRecord>
}

export interface World {
  readonly categories: Collection<CategoryRecord>
  readonly pets: Collection<PetRecord>
  readonly orders: Collection<OrderRecord>
  snapshot(): WorldSnapshot
  restore(snapshot: WorldSnapshot): void
  /** Makes these the only records. The starting state stays what it is. */
  replaceAll(records: Records, nextIds: Partial<NextIds>): void
  /** Back to the starting state, ids included. */
  reset(): void
}

/** The id that the next new record of each kind gets. */
export interface NextIds {
  readonly categories: Id
  readonly pets: Id
  readonly orders: Id
}

export function createBaseWorld(records: Records, nextIds: Partial<NextIds> = {}): BaseWorld {
  const storage = {
    category: new Map<Id, CategoryRecord>(),
    pet: new Map<Id, PetRecord>(),
    order: new Map<Id, OrderRecord>(),
  }
  const tables = openDatabase(storage)
  for (const category of records.categories) tables.category.create(category.id, category)
  for (const pet of records.pets) tables.pet.create(pet.id, pet)
  for (const order of records.orders) tables.order.create(order.id, order)
  return {
    categories: createBaseCollection(storage.category, nextIds.categories),
    pets: createBaseCollection(storage.pet, nextIds.pets, { categoryId: (pet) => pet.categoryId }),
    orders: createBaseCollection(storage.order, nextIds.orders, {
      petId: (order) => order.petId ?? undefined,
      openPetId: (order) => (order.complete ? undefined : (order.petId ?? undefined)),
    }),
  }
}

export function createWorld(base: BaseWorld): World {
  const storage = {
    category: new LayeredMap(base.categories.rows),
    pet: new LayeredMap(base.pets.rows),
    order: new LayeredMap(base.orders.rows),
  }
  const tables = openDatabase(storage)
  const categories = new Collection(base.categories, storage.category, tables.category)
  const pets = new Collection(base.pets, storage.pet, tables.pet)
  const orders = new Collection(base.orders, storage.order, tables.order)
  return {
    categories,
    pets,
    orders,
    snapshot: () => ({
      categories: categories.snapshot(),
      pets: pets.snapshot(),
      orders: orders.snapshot(),
    }),
    restore(snapshot) {
      categories.restore(snapshot.categories)
      pets.restore(snapshot.pets)
      orders.restore(snapshot.orders)
    },
    replaceAll(records, nextIds) {
      categories.replaceAll(records.categories, nextIds.categories)
      pets.replaceAll(records.pets, nextIds.pets)
      orders.replaceAll(records.orders, nextIds.orders)
    },
    reset() {
      categories.reset()
      pets.reset()
      orders.reset()
    },
  }
}
