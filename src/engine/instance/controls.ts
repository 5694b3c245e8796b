import { systemTime } from '../../lib/clock.js'
import { createRandom, drawSpan } from '../../lib/random.js'
import { type Clock, createClock } from '../control/clock.js'
import type { CurrentStore } from '../control/current-store.js'
import type { StateTransfer } from '../control/state-transfer.js'
import { createCoverage } from '../log/coverage.js'
import { createEvents, type EventHub } from '../log/events.js'
import { createLog, type Log } from '../log/log.js'
import { createControlRecorder } from '../log/record-controls.js'
import { createRecorder } from '../log/recorder.js'
import type { InstanceUpstream } from '../pipeline/upstream.js'
import { createFaults, type FaultEngine } from '../rules/faults.js'
import { createOverrides, type Overrides } from '../rules/overrides.js'
import { createSavedControls, type Savable, type SavedControls } from '../rules/saved-controls.js'
import type { ServiceTypes } from '../service.js'
import type { InstanceDependencies } from './dependencies.js'
import { serverPathsOf } from './document-paths.js'

/** What a test sets and inspects, apart from the data. */
export interface InstanceControls {
  readonly clock: Clock
  enforcesSunset(): boolean
  /** Requests, and what a test has set. */
  readonly log: Log
  /** Writes what a test sets into the log. */
  readonly controlRecorder: ReturnType<typeof createControlRecorder>
  readonly events: EventHub
  readonly faults: FaultEngine
  readonly overrides: Overrides
  readonly upstream: InstanceUpstream | undefined
  delay(): number
  readonly coverage: ReturnType<typeof createCoverage>
  recordCoverage(operation: string, status: number): void
  /** Writes requests into the log and the coverage. */
  readonly recorder: ReturnType<typeof createRecorder>
  /** What an adapter can keep across reloads. */
  readonly saved: Savable<SavedControls>
  /** Resets everything but the coverage. */
  reset(): void
}

export function createControls<T extends ServiceTypes>(
  { definition, startingData, unreportedErrors, parent, createUpstream }: InstanceDependencies<T>,
  store: CurrentStore<T>,
  { exportLater }: StateTransfer<T>,
): InstanceControls {
  const { contract, errorCodes, operations } = definition
  const { options } = startingData
  const seed = () => store.seed
  const serverPaths = () => serverPathsOf(definition.document)
  const managedClock = createClock(systemTime, options.sunset)
  const { clock } = managedClock
  const log = createLog(options)
  const controlRecorder = createControlRecorder((control) => log.addControl(control, clock.now()), exportLater)
  const events = createEvents(unreportedErrors.add, controlRecorder.onEvent)
  const faults = createFaults({ seed, contract, errorCodes, clock, events, serverPaths })
  const overrides = createOverrides({ contract, clock, events })
  const upstream = createUpstream?.({ contract, options, overrides, events, unreportedErrors })
  let delays = createRandom(seed(), 'delay')
  const coverage = createCoverage(operations)

  function recordCoverage(operation: string, status: number): void {
    coverage.record(operation, status)
    parent?.recordCoverage(operation, status)
  }

  const recorder = createRecorder({
    contract,
    options,
    events,
    log,
    unreportedErrors,
    recordCoverage,
    isSandbox: parent !== undefined,
  })

  return {
    clock,
    enforcesSunset: managedClock.enforcesSunset,
    log,
    controlRecorder,
    events,
    faults,
    overrides,
    upstream,
    delay: () => drawSpan(options.delay, delays),
    coverage,
    recordCoverage,
    recorder,
    saved: createSavedControls({ clock: managedClock, faults, overrides }),
    reset(): void {
      clock.reset()
      faults.reset()
      overrides.reset()
      upstream?.reset()
      delays = createRandom(seed(), 'delay')
      recorder.reset()
    },
  }
}
