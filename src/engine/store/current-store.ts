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
   * Resets to other starting data. When that cannot be loaded, nothing changes. Resolves with false when a later reset
   * overtook this one.
   */
  resetTo(options: ResetOptions<T['scenario']>): Promise<boolean>
  snapshot(): Snapshot
  /** Also restores a snapshot taken over other starting data. */
  restore(snapshot: Snapshot): void
}

export function createCurrentStore<T extends ServiceTypes>(startingData: StartingData<T>): CurrentStore<T> {
  let point: StartingPoint<T> | undefined
  let store: Store<T['shape']> | undefined
  /** Resets are numbered in the order they were requested; a slow one must not undo a later one. */
  let requested = 0
  let latest = 0
  /** Ids and records of another mock's snapshots mean nothing here. */
  const ownSnapshots = new WeakSet<Snapshot>()

  const get = () => store ?? startFrom(startingData.get())

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
      requested += 1
      latest = requested
      const start = startingData.find()
      if (start !== undefined && start === point) store?.reset()
      else store = point = undefined
    },
    async resetTo(options) {
      requested += 1
      const turn = requested
      const other = await startingData.other(options)
      if (turn < latest) return false
      latest = turn
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
      const current = from === point ? get() : startFrom(from)
      current.restore(snapshot.store)
    },
  }
}
