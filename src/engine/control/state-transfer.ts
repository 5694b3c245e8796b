import { runInSlices, runNow, type Steps } from '../../lib/steps.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'
import { type BaseStore, buildBaseStore, type Store } from '../store/store.js'
import type { CurrentStore, Snapshot } from './current-store.js'
import type { StartingData } from './starting-data.js'

export interface StateTransfer<T extends ServiceTypes> {
  toState(store: Pick<Store<T['shape']>, 'collections'>): T['state']
  exportNow(): T['state']
  /** The data of this moment, exported when the returned function is called. */
  exportLater(): () => T['state']
  importNow(state: unknown): void
  /** Reads and imports a state in slices. Resolves with false when a later call has replaced the data meanwhile. */
  importInSlices(state: Steps<unknown>): Promise<boolean>
  toSnapshot(state: unknown): Snapshot
}

/** Exports the data of one instance as a state in the fixture format, and imports one. */
export function createStateTransfer<T extends ServiceTypes>(
  definition: ServiceDefinition<T>,
  startingData: StartingData<T>,
  current: CurrentStore<T>,
): StateTransfer<T> {
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
    exportLater(): () => T['state'] {
      const snapshot = current.snapshot()
      return () => fromSnapshot(snapshot)
    },
    importNow(state: unknown): void {
      current.replaceAll(runNow(read(state)))
    },
    importInSlices(state: Steps<unknown>): Promise<boolean> {
      const readAll = function* () {
        return yield* read(yield* state)
      }
      return current.replaceAllLater(runInSlices(readAll()))
    },
    toSnapshot: (state: unknown): Snapshot => current.toSnapshot(runNow(read(state))),
  }
}
