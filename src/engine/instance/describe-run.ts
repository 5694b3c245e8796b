import { describeStart } from '../reproduction/describe-start.js'
import { type Reproduction, toReproduction } from '../reproduction/reproduction.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'
import type { CurrentStore } from '../store/current-store.js'
import type { StartingData } from '../store/starting-data.js'
import type { InstanceControls } from './controls.js'

interface Run<T extends ServiceTypes> {
  readonly definition: ServiceDefinition<T>
  readonly startingData: StartingData<T>
  readonly store: CurrentStore<T>
  readonly controls: Pick<InstanceControls, 'recording' | 'clock' | 'faults' | 'overrides'>
  /** Missing for the root. */
  readonly sandbox?: string | undefined
}

/** All that happened to an instance since its last reset, and where it started. */
export function describeRun<T extends ServiceTypes>(run: Run<T>): Reproduction {
  const { definition, startingData, store, controls, sandbox } = run
  const { recording, clock, faults, overrides } = controls
  return toReproduction({
    specHash: definition.specHash,
    sandbox,
    ...describeStart(definition, startingData, store.start()),
    missing: recording.missing,
    steps: recording.steps(),
    end: { clock: clock.state(), faults: faults.faults.list(), overrides: overrides.list.list() },
  })
}
