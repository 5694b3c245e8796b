import { runInSlices, runNow, type Steps } from '../../lib/steps.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'
import { type BaseStore, buildBaseStore, type Store } from '../store/store.js'
import type { CurrentStore, Snapshot } from './current-store.js'
import type { StartingData } from './starting-data.js'

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
