import type { Id } from '../../lib/int64.js'
import { runInSlices, runNow, type Steps } from '../../lib/steps.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'
import type { BaseCollection } from '../store/collection.js'
import type { Identified, StoreShape } from '../store/database.js'
import { type BaseStore, buildBaseStore, createStore, isSame, type Store } from '../store/store.js'
import type { CurrentStore, Snapshot } from './current-store.js'
import type { StartingData } from './starting-data.js'

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

export type StateTransfer<T extends ServiceTypes> = ReturnType<typeof createStateTransfer<T>>

/** Exports the data of one instance as a state in the fixture format, and imports one. */
export function createStateTransfer<T extends ServiceTypes>(
  definition: ServiceDefinition<T>,
  startingData: StartingData<T>,
  current: CurrentStore<T>,
) {
  const toState = ({ collections }: Pick<Store<T['shape']>, 'collections'>): T['state'] =>
    definition.exportState(collections)

  const fromSnapshot = (snapshot: Snapshot): T['state'] => toState(current.fromSnapshot(snapshot))

  function* read(state: unknown): Steps<BaseStore<T['shape']>> {
    const { records, nextIds } = yield* definition.importState(state, startingData.options)
    return yield* buildBaseStore(definition.model, records, nextIds, current.base())
  }

  return {
    toState,
    exportNow: () => toState(current.get()),
    /** The data of this moment, exported when the returned function is called. */
    exportLater(): () => T['state'] {
      const snapshot = current.snapshot()
      return () => fromSnapshot(snapshot)
    },
    importNow(state: unknown): void {
      current.replaceAll(runNow(read(state)))
    },
    /** Reads and imports a state in slices. Resolves with false when a later call has replaced the data meanwhile. */
    importInSlices(state: Steps<unknown>): Promise<boolean> {
      const readAll = function* () {
        return yield* read(yield* state)
      }
      return current.replaceAllLater(runInSlices(readAll()))
    },
    toSnapshot: (state: unknown): Snapshot => current.toSnapshot(runNow(read(state))),
  }
}
