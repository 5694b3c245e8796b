import type { Id } from '../../lib/int64.js'
import { runNow } from '../../lib/steps.js'
import type { BaseCollection } from './collection.js'
import type { Identified, StoreShape } from './model.js'
import { type BaseStore, buildBaseStore, createStore, isSame, type Store } from './store.js'

/** The records of a collection that differ from those of the starting data, as JSON. */
interface SavedCollection {
  readonly changed: readonly Identified[]
  readonly deleted: readonly Id[]
  readonly nextId: Id
}

/** What differs from the starting data, by collection. Its size does not depend on that of the starting data. */
export type SavedData = Readonly<Record<string, SavedCollection>>

/** What saving uses of a collection. */
interface SavableCollection {
  readonly nextId: Id
  get(id: Id): Identified | undefined
  select(all: object): Iterable<Identified>
}

type SavableCollections = Readonly<Record<string, SavableCollection>>

/** Undefined if nothing differs from the base. */
export function saveData<S extends StoreShape>(base: BaseStore<S>, store: Store<S>): SavedData | undefined {
  const start = createStore(base).collections as unknown as SavableCollections
  const saved = Object.entries(store.collections as unknown as SavableCollections).map(([name, current]) => {
    const { rows } = base.collections[name] as BaseCollection<Identified>
    const changed = [...current.select({})].filter((record) => {
      const before = rows.get(record.id)
      return before === undefined || !isSame(before, record)
    })
    const deleted = Array.from(rows, ([id]) => id).filter((id) => current.get(id) === undefined)
    const isSameAsBase = changed.length + deleted.length === 0 && current.nextId === start[name]?.nextId
    return { entry: [name, { changed, deleted, nextId: current.nextId }] as const, isSameAsBase }
  })
  return saved.every(({ isSameAsBase }) => isSameAsBase)
    ? undefined
    : Object.fromEntries(saved.map(({ entry }) => entry))
}

/** The data that was saved. It is not checked: it may violate the rules of the service. */
export function readData<S extends StoreShape>(base: BaseStore<S>, saved: SavedData): Store<S> {
  const records: Record<string, Iterable<Identified>> = {}
  const nextIds: Record<string, Id> = {}
  for (const name in base.collections) {
    const { changed, deleted, nextId } = saved[name] as SavedCollection
    const rows = new Map<Id, Identified>(base.collections[name].rows)
    for (const id of deleted) rows.delete(id)
    for (const record of changed) rows.set(record.id, record)
    records[name] = rows.values()
    nextIds[name] = nextId
  }
  return createStore(runNow(buildBaseStore(base.model, records as never, nextIds as never, base)))
}
