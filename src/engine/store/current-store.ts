import { lastCallWins } from '../../lib/last-call.js'
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
export function createCurrentStore<T extends ServiceTypes>(startingData: StartingData<T>) {
  let point: StartingPoint<T> | undefined
  let store: Store<T['shape']> | undefined
  const announce = lastCallWins()
  /** Ids and records of another mock's snapshots mean nothing here. */
  const ownSnapshots = new WeakSet<Snapshot>()

  const get = () => store ?? startFrom(startingData.get())

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
    /** Throws NOT_READY while the starting data is being generated. */
    get,
    get seed(): number {
      return (point ?? startingData.options).seed
    },
    get scenario(): T['scenario'] {
      return (point ?? startingData.options).scenario
    },
    reset(): void {
      overtake()
      const start = startingData.find()
      if (start !== undefined && start === point) store?.reset()
      else store = point = undefined
    },
    /**
     * Resets to other starting data. When that cannot be loaded, nothing changes. Resolves with false when the data was
     * replaced by a later call in the meantime: the last call wins.
     */
    async resetTo(options: ResetOptions<T['scenario']>): Promise<boolean> {
      const mayReplace = announce()
      const other = await startingData.other(options)
      if (!mayReplace()) return false
      startFrom(other)
      return true
    },
    snapshot(): Snapshot {
      const snapshot = { store: get().snapshot(), startingPoint: point as StartingPoint<T> }
      ownSnapshots.add(snapshot)
      return snapshot
    },
    /** Also restores a snapshot taken over other starting data. */
    restore(snapshot: Snapshot): void {
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
    replaceAll(...data: Parameters<Store<T['shape']>['replaceAll']>): void {
      const current = get()
      overtake()
      current.replaceAll(...data)
    },
    /** Announces a call that will replace the data later. Returns a function that says whether it still may. */
    announce,
  }
}
