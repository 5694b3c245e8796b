import { systemTime } from '../../lib/clock.js'
import { createRandom, drawSpan } from '../../lib/random.js'
import type { Contract } from '../contract/contract.js'
import { type Clock, createClock } from '../control/clock.js'
import { createCoverage } from '../control/coverage.js'
import { createEvents, type EventHub } from '../control/events.js'
import { createFaults, type FaultEngine } from '../control/faults.js'
import { createOverrides, type Overrides } from '../control/overrides.js'
import { createRecorder } from '../control/recorder.js'
import { createSavedControls, type SavedParts } from '../control/saved-controls.js'
import type { UnreportedErrors } from '../control/unreported-errors.js'
import type { EngineOptions } from '../options.js'
import { createControlRecorder } from '../reproduction/record-controls.js'
import { createRecording, type Recording } from '../reproduction/recording.js'

interface ControlDependencies {
  readonly contract: Contract
  readonly errorCodes: Readonly<Record<string, number>>
  readonly options: EngineOptions
  readonly unreportedErrors: UnreportedErrors
  /** The seed of the current starting data. */
  seed(): number
  /** Returns a function that returns the data of this moment. */
  exportLater(): () => object
  /** Given to a sandbox: its parent counts the same requests. */
  recordParentCoverage?(operation: string, status: number): void
}

/** What a test sets and inspects, apart from the data. */
export interface InstanceControls {
  readonly clock: Clock
  readonly recording: Recording
  readonly controlRecorder: ReturnType<typeof createControlRecorder>
  readonly events: EventHub
  readonly faults: FaultEngine
  readonly overrides: Overrides
  drawDelay(): number
  readonly coverage: ReturnType<typeof createCoverage>
  recordCoverage(operation: string, status: number): void
  readonly recorder: ReturnType<typeof createRecorder>
  /** What an adapter can keep. */
  readonly saved: SavedParts['controls']
  /** Coverage stays. */
  reset(): void
}

export function createControls(dependencies: ControlDependencies): InstanceControls {
  const { contract, errorCodes, options, unreportedErrors, seed, exportLater, recordParentCoverage } = dependencies
  const managedClock = createClock(systemTime)
  const { clock } = managedClock
  const recording = createRecording(options)
  const controlRecorder = createControlRecorder((control) => recording.addControl(control, clock.now()), exportLater)
  const events = createEvents(unreportedErrors.add, controlRecorder.onEvent)
  const faults = createFaults({ seed, contract, errorCodes, clock, events })
  const overrides = createOverrides({ contract, clock, events })
  let delays = createRandom(seed(), 'delay')
  const coverage = createCoverage(contract.operations())

  function recordCoverage(operation: string, status: number): void {
    coverage.record(operation, status)
    recordParentCoverage?.(operation, status)
  }

  const recorder = createRecorder({
    contract,
    options,
    clock,
    events,
    recording,
    unreportedErrors,
    recordCoverage,
    isSandbox: recordParentCoverage !== undefined,
  })

  return {
    clock,
    recording,
    controlRecorder,
    events,
    faults,
    overrides,
    drawDelay: () => drawSpan(options.delay, delays),
    coverage,
    recordCoverage,
    recorder,
    saved: createSavedControls({ clock: managedClock, faults, overrides }),
    reset(): void {
      clock.reset()
      faults.reset()
      overrides.reset()
      delays = createRandom(seed(), 'delay')
      recorder.reset()
    },
  }
}
