import type { Steps } from '../../lib/steps.js'
import type { CurrentStore, Snapshot } from '../control/current-store.js'
import { createSnapshots, type Snapshots } from '../control/snapshots.js'
import type { StateTransfer } from '../control/state-transfer.js'
import type { DataApi } from '../data/data-api.js'
import type { ServiceTypes } from '../service.js'
import type { InstanceControls } from './controls.js'
import type { TestErrors } from './test-errors.js'

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

  const snapshots = createSnapshots({
    take: store.snapshot,
    sizes: () => shownSizes(store.get().sizes()),
    restore,
    clock,
  })

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

/** Resets the data of an instance and everything that a test has set. With options, to other starting data. */
export function createReset<T extends ServiceTypes>(
  store: CurrentStore<T>,
  controls: InstanceControls,
  data: DataApi<T['data']>,
  errors: TestErrors,
) {
  function finishReset(): void {
    // The errors so far belong to the test that is ending: `check` throws them, even after the reset.
    errors.collect()
    controls.reset()
    data.reset()
    controls.events.emit({ type: 'reset', seed: store.seed, scenario: store.scenario })
  }

  function reset(): void
  function reset(options: T['resetOptions']): Promise<void>
  function reset(options?: T['resetOptions']): void | Promise<void>
  function reset(options?: T['resetOptions']): void | Promise<void> {
    if (options !== undefined) {
      return store.resetTo(options).then((isLatest) => (isLatest ? finishReset() : undefined))
    }
    store.reset()
    finishReset()
  }

  return reset
}

/** Without what operations remember beside records. */
const shownSizes = <Sizes extends Readonly<Record<string, number>>>(sizes: Sizes): Sizes =>
  Object.fromEntries(Object.entries(sizes).filter(([name]) => !name.startsWith('/'))) as Sizes
