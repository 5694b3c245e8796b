import { MockError } from '../../http/errors.js'
import type { Turn } from '../../lib/functions.js'
import { createTurns } from '../../lib/functions.js'
import type { ServiceTypes } from '../service.js'
import { type BaseStore, createStore, type Store, type StoreSnapshot } from '../store/store.js'
import type { StartingData, StartingPoint } from './starting-data.js'

/** The data and ids of one moment, for `restore`. */
export interface Snapshot {
  readonly startingPoint: object
  readonly store: StoreSnapshot
}

export interface CurrentStore<T extends ServiceTypes> {
  /** Throws NOT_READY while the starting data is being generated. */
  get(): Store<T['shape']>
  readonly seed: number
  readonly scenario: T['scenario']
  readonly fixtures: boolean
  reset(): void
  /**
   * Resets to other starting data. When that cannot be loaded, nothing changes. Resolves with false when the data was
   * replaced by a later call in the meantime: the last call wins.
   */
  resetTo(options: T['resetOptions']): Promise<boolean>
  /** Where the last reset led to. Throws NOT_READY like `get`. */
  start(): StartingPoint<T>
  snapshot(): Snapshot
  /** A snapshot of other data. */
  toSnapshot(base: BaseStore<T['shape']>): Snapshot
  /** A store with the data of a snapshot. */
  fromSnapshot(snapshot: Snapshot): Store<T['shape']>
  /** Also restores a snapshot taken over other starting data. */
  restore(snapshot: Snapshot): void
  /** What the current store is layered on. Throws NOT_READY like `get`. */
  base(): BaseStore<T['shape']>
  /** Replaces all data until the next reset. */
  replaceAll(base: BaseStore<T['shape']>, turn?: Turn): boolean
  /** Like `replaceAll`, once `loading` resolves. Resolves with false like `resetTo`. */
  replaceAllLater(loading: Promise<BaseStore<T['shape']>>): Promise<boolean>
  /** Begins a reset that comes later: the last call that replaces the data wins. */
  beginReset(): Turn
}

/** The store of one instance: layered on the mock's starting data, or on other starting data until the next reset. */
export function createCurrentStore<T extends ServiceTypes>(startingData: StartingData<T>): CurrentStore<T> {
  let point: StartingPoint<T> | undefined
  /** The point at the last reset. Importing and restoring data change only `point`. */
  let start: StartingPoint<T> | undefined
  let store: Store<T['shape']> | undefined
  /** Orders overlapping calls that replace all data. */
  const turns = createTurns()
  /** Ids and records of another mock's snapshots mean nothing here. */
  const ownSnapshots = new WeakSet<Snapshot>()

  function get(): Store<T['shape']> {
    if (store) return store
    start = startingData.get()
    return startFrom(start)
  }

  function startFrom(from: StartingPoint<T>): Store<T['shape']> {
    point = from
    store = createStore(from.base)
    return store
  }

  function snapshotOf(from: Store<T['shape']>, startingPoint: StartingPoint<T>): Snapshot {
    const snapshot = { store: from.snapshot(), startingPoint }
    ownSnapshots.add(snapshot)
    return snapshot
  }

  function replaceAll(base: BaseStore<T['shape']>, turn = turns.begin()): boolean {
    const from = point ?? startingData.get()
    if (!turn.commit()) return false
    startFrom({ ...from, base })
    return true
  }

  return {
    get,
    get seed(): number {
      return (point ?? startingData.options).seed
    },
    get scenario(): T['scenario'] {
      return (point ?? startingData.options).scenario
    },
    get fixtures(): boolean {
      return point?.fixtures ?? startingData.hasFixtures
    },
    reset(): void {
      turns.begin().commit()
      const found = startingData.find()
      if (found !== undefined && found === point) {
        start = found
        store?.reset()
      } else {
        // Created again at the next use.
        store = undefined
        point = undefined
      }
    },
    async resetTo(options: T['resetOptions']): Promise<boolean> {
      const turn = turns.begin()
      const other = await startingData.other(options)
      if (!turn.commit()) return false
      start = other
      startFrom(other)
      return true
    },
    start(): StartingPoint<T> {
      get()
      return start as StartingPoint<T>
    },
    snapshot: () => snapshotOf(get(), point as StartingPoint<T>),
    toSnapshot(base: BaseStore<T['shape']>): Snapshot {
      return snapshotOf(createStore(base), { ...(point ?? startingData.get()), base })
    },
    fromSnapshot(snapshot: Snapshot): Store<T['shape']> {
      const other = createStore((snapshot.startingPoint as StartingPoint<T>).base)
      other.restore(snapshot.store)
      return other
    },
    restore(snapshot: Snapshot): void {
      if (!ownSnapshots.has(snapshot)) {
        throw new MockError(
          'FOREIGN_SNAPSHOT',
          'A snapshot can only be restored by the mock that took it. Use exportState and importState for another mock.',
        )
      }
      const from = snapshot.startingPoint as StartingPoint<T>
      turns.begin().commit()
      const current = from === point ? get() : startFrom(from)
      current.restore(snapshot.store)
    },
    base(): BaseStore<T['shape']> {
      get()
      return (point as StartingPoint<T>).base
    },
    replaceAll,
    async replaceAllLater(loading: Promise<BaseStore<T['shape']>>): Promise<boolean> {
      const turn = turns.begin()
      return replaceAll(await loading, turn)
    },
    beginReset: turns.begin,
  }
}
