import { MockError } from '../contract/errors.js'
import type { ServiceTypes } from '../service.js'
import type { ResetOptions, StartingData, StartingPoint } from './starting-data.js'
import { createStore, type Store, type StoreSnapshot } from './store.js'

/** The data and ids of one moment, for `restore`. */
export interface Snapshot {
  readonly startingPoint: object
  readonly store: StoreSnapshot
}

/** The store of one instance: over the mock's starting data, or over other starting data until the next reset. */
export interface CurrentStore<T extends ServiceTypes> {
  /** Throws NOT_READY while the starting data is being generated. */
  get(): Store<T['shape']>
  readonly seed: number
  readonly scenario: T['scenario']
  reset(): void
  /**
   * Resets to other starting data. When that cannot be loaded, nothing changes. Resolves with false when the data was
   * replaced by a later call in the meantime: the last call wins.
   */
  resetTo(options: ResetOptions<T['scenario']>): Promise<boolean>
  snapshot(): Snapshot
  /** Also restores a snapshot taken over other starting data. */
  restore(snapshot: Snapshot): void
  replaceAll(...data: Parameters<Store<T['shape']>['replaceAll']>): void
  /** Announces a call that will replace the data later. Returns a function that says whether it still may. */
  announce(): () => boolean
}

export function createCurrentStore<T extends ServiceTypes>(startingData: StartingData<T>): CurrentStore<T> {
  let point: StartingPoint<T> | undefined
  let store: Store<T['shape']> | undefined
  /** Calls that replace all data are numbered in the order they were made; a slow one must not undo a later one. */
  let requested = 0
  let latest = 0
  /** Ids and records of another mock's snapshots mean nothing here. */
  const ownSnapshots = new WeakSet<Snapshot>()

  const get = () => store ?? startFrom(startingData.get())

  /** The last call wins: the returned function is false when a later call has replaced the data. */
  function announce(): () => boolean {
    requested += 1
    const turn = requested
    return () => {
      if (turn < latest) return false
      latest = turn
      return true
    }
  }

  /** The data is replaced now: calls that are still loading theirs come too late. */
  function overtake(): void {
    announce()()
  }

  function startFrom(from: StartingPoint<T>): Store<T['shape']> {
    point = from
    store = createStore(from.base)
    return store
  }

  return {
    get,
    get seed() {
      return (point ?? startingData.options).seed
    },
    get scenario() {
      return (point ?? startingData.options).scenario as T['scenario']
    },
    reset() {
      overtake()
      const start = startingData.find()
      if (start !== undefined && start === point) store?.reset()
      else store = point = undefined
    },
    async resetTo(options) {
      const mayReplace = announce()
      const other = await startingData.other(options)
      if (!mayReplace()) return false
      startFrom(other)
      return true
    },
    snapshot() {
      const snapshot = { store: get().snapshot(), startingPoint: point as StartingPoint<T> }
      ownSnapshots.add(snapshot)
      return snapshot
    },
    restore(snapshot) {
      if (!ownSnapshots.has(snapshot)) {
        throw new MockError(
          'FOREIGN_SNAPSHOT',
          'A snapshot can only be restored by the mock that took it. Use exportState and importState for another mock.',
        )
      }
      const from = snapshot.startingPoint as StartingPoint<T>
      overtake()
      const current = from === point ? get() : startFrom(from)
      current.restore(snapshot.store)
    },
    replaceAll(...data) {
      const current = get()
      overtake()
      current.replaceAll(...data)
    },
    announce,
  }
}
