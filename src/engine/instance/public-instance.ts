import type { AnyServiceTypes, DataApi, ServiceTypes } from '../service.js'
import type { CurrentStore } from '../store/current-store.js'
import type { StateTransfer } from '../store/state-transfer.js'
import type { InstanceControls } from './controls.js'
import type { InstanceWithoutRequests } from './instance.js'
import type { InstanceState } from './state.js'
import type { TestErrors } from './test-errors.js'

type PublicInstance = InstanceWithoutRequests<AnyServiceTypes>

interface InstanceParts<T extends ServiceTypes> extends Pick<PublicInstance, 'reset' | 'reproduction'> {
  readonly store: CurrentStore<T>
  readonly transfer: StateTransfer<T>
  readonly state: InstanceState
  readonly controls: InstanceControls
  readonly data: DataApi<T['data']>
  readonly errors: TestErrors
}

/**
 * The parts of an instance under the names that a test uses. What a test does to clock and faults is recorded here for the
 * reproduction; the other changes are recorded through their events, or in data.ts.
 */
export function assemblePublicInstance<T extends ServiceTypes>(parts: InstanceParts<T>): PublicInstance {
  const { store, transfer, state, controls, data, errors, reset, reproduction } = parts
  const { clock, recorder, faults, overrides, upstream, events, coverage, controlRecorder } = controls
  return {
    data: data.data,
    get startingData() {
      return { seed: store.seed, scenario: store.scenario, fixtures: store.fixtures }
    },
    clock: controlRecorder.recordClock(clock),
    journal: recorder.journal,
    faults: controlRecorder.recordFaults(faults.faults),
    snapshots: state.snapshots,
    events: { subscribe: events.subscribe },
    get lifecycleWarnings() {
      return recorder.lifecycleWarnings()
    },
    coverage: coverage.report,
    override: overrides.add,
    overrides: overrides.list,
    ...(upstream && { upstream: upstream.control }),
    snapshot: store.snapshot,
    restore: state.restore,
    reproduction,
    exportState: transfer.exportNow,
    importState: (given) => state.importNow(given ?? null),
    reset,
    check: errors.check,
  }
}
