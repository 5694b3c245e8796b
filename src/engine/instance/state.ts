import type { Steps } from '../../lib/steps.js'
import { createSnapshots, type Snapshots } from '../control/snapshots.js'
import type { ServiceTypes } from '../service.js'
import type { CurrentStore, Snapshot } from '../store/current-store.js'
import type { StateTransfer } from '../store/state-transfer.js'
import type { InstanceControls } from './controls.js'

/** Replaces all data of an instance, by a snapshot or an imported state, and says so in an event. */
export interface InstanceState {
  restore(snapshot: Snapshot): void
  readonly snapshots: Snapshots
  /** The snapshots with their data, for an adapter that keeps them across reloads. */
  readonly keptSnapshots: Pick<ReturnType<typeof createSnapshots<Snapshot>>, 'all' | 'put'>
  importNow(state: unknown): void
  /** Does nothing when the data was replaced by a later call in the meantime. */
  importInSlices(state: Steps<unknown>): Promise<void>
}

export function createState<T extends ServiceTypes>(
  store: CurrentStore<T>,
  transfer: StateTransfer<T>,
  { events, clock }: InstanceControls,
): InstanceState {
  function restore(snapshot: Snapshot): void {
    store.restore(snapshot)
    events.emit({ type: 'state', cause: 'restore' })
  }

  const snapshots = createSnapshots({ take: store.snapshot, sizes: () => store.get().sizes(), restore, clock })

  return {
    restore,
    snapshots: snapshots.snapshots,
    keptSnapshots: snapshots,
    importNow(state) {
      transfer.importNow(state)
      events.emit({ type: 'state', cause: 'import' })
    },
    async importInSlices(state) {
      const isLatest = await transfer.importInSlices(state)
      if (isLatest) events.emit({ type: 'state', cause: 'import' })
    },
  }
}
