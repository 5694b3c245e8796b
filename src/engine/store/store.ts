import { INT64_IDS } from '../../document/resources/ids/kinds.js'
import type { Id } from '../../lib/int64.js'
import type { Steps } from '../../lib/steps.js'
import { isEqualJson } from '../../lib/values.js'
import { type BaseCollection, Collection, type CollectionSnapshot } from './collection.js'
import type { Database, Identified, NextIds, RecordsOf, StoreModel, StoreShape, Table } from './database.js'
import { openDatabase } from './database.js'
import { BaseIndex } from './indexes.js'
import { LayeredMap } from './layered-map.js'

/** Starting data that never changes. Any number of stores share one and keep only what they changed. */
export interface BaseStore<S extends StoreShape> {
  readonly model: StoreModel<S>
  readonly collections: { readonly [Name in keyof S]: BaseCollection<S[Name]['record']> }
}

/** What differs from the base at one moment. It can only be restored over the same base. */
export type StoreSnapshot = Readonly<Record<string, CollectionSnapshot<Identified>>>

export type Collections<S extends StoreShape> = {
  readonly [Name in keyof S]: Collection<S[Name]['record'], S[Name]['groupings']>
}

export interface Store<S extends StoreShape> {
  readonly collections: Collections<S>
  /** The records as @mswjs/data sees them, for reading. Writes go through the collections, which also update the indexes. */
  readonly database: Database<S>
  sizes(): { readonly [Name in keyof S]: number }
  snapshot(): StoreSnapshot
  restore(snapshot: StoreSnapshot): void
  /** Back to the base, ids included. */
  reset(): void
}

type Tables = Readonly<Record<string, Table<Identified>>>
type AnyBase = Readonly<Record<string, BaseCollection<Identified>>>
type AnyCollections = Readonly<Record<string, Collection<Identified, string>>>

/** Shares the records, and whole collections, that equal those of another base. */
export function* buildBaseStore<S extends StoreShape>(
  model: StoreModel<S>,
  records: RecordsOf<S>,
  nextIds: Partial<NextIds<S>> = {},
  other?: BaseStore<S>,
): Steps<BaseStore<S>> {
  const storage = mapValues(model, () => new Map<Id, Identified>())
  const tables = openDatabase(model, storage) as Tables
  const others = other?.collections as AnyBase | undefined
  const collections: Record<string, BaseCollection<Identified>> = {}
  for (const name in model) {
    const rows = storage[name] as Map<Id, Identified>
    const known = others?.[name]
    let shared = 0
    for (const record of (records[name] ?? []) as Iterable<Identified>) {
      yield
      const same = known?.rows.get(record.id)
      if (same === undefined || !isSame(same, record)) {
        tables[name]?.create(record)
      } else {
        rows.set(record.id, same)
        shared += 1
      }
    }
    const { ids = INT64_IDS, remembersRemoved = false } = model[name]
    const isUnchanged = known !== undefined && shared === rows.size && shared === known.rows.size
    const index = isUnchanged ? known.index : new BaseIndex(rows, model[name].groupings, ids)
    const nextId = nextIds[name]
    collections[name] = { rows: isUnchanged ? known.rows : rows, index, ids, nextId, remembersRemoved }
  }
  return { model, collections: collections as never }
}

/** The data of one instance. */
export function createStore<S extends StoreShape>(base: BaseStore<S>): Store<S> {
  const bases = base.collections as AnyBase
  const storage = mapValues(bases, ({ rows }) => new LayeredMap(rows))
  const database = openDatabase(base.model, storage)
  const tables = database as Tables
  const collections = mapValues(
    bases,
    (starting, name) => new Collection(starting, storage[name] as never, tables[name] as never),
  )
  return {
    collections: collections as Collections<S>,
    database,
    sizes: () => mapValues(collections, ({ size }) => size) as { readonly [Name in keyof S]: number },
    snapshot: (): StoreSnapshot => mapValues(collections, (collection) => collection.snapshot()),
    restore(snapshot: StoreSnapshot): void {
      for (const name in collections) collections[name]?.restore(snapshot[name] as never)
    },
    reset(): void {
      for (const name in collections) collections[name]?.reset()
    },
  }
}

/** What differs between two stores, by collection. */
export type StoreChanges = Readonly<Record<string, CollectionChanges>>

interface CollectionChanges {
  /** The records that are new, or have other values. */
  readonly changed: readonly Identified[]
  readonly removed: readonly Id[]
  readonly nextId: Id
}

/** What differs from the base. Undefined if nothing does. */
export function findChanges<S extends StoreShape>(base: BaseStore<S>, store: Store<S>): StoreChanges | undefined {
  const start = createStore(base).collections as AnyCollections
  let isSameAsBase = true
  const changes = mapValues(store.collections as AnyCollections, (current, name) => {
    const { rows } = (base.collections as AnyBase)[name] as BaseCollection<Identified>
    const changed = [...current.select({})].filter((record) => {
      const before = rows.get(record.id)
      return before === undefined || !isSame(before, record)
    })
    const removed = Array.from(rows, ([id]) => id).filter((id) => current.get(id) === undefined)
    isSameAsBase &&= changed.length + removed.length === 0 && current.nextId === start[name]?.nextId
    return { changed, removed, nextId: current.nextId }
  })
  return isSameAsBase ? undefined : changes
}

/** Whether two records have the same values. The first is a stored one, which has every field of the model. */
function isSame<R extends object>(stored: R, record: R): boolean {
  return (Object.keys(stored) as (keyof R)[]).every((field) => isEqualJson(stored[field], record[field]))
}

function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]))
}
