import { describeStart } from '../reproduction/describe-start.js'
import { type Reproduction, toReproduction } from '../reproduction/reproduction.js'
import type { ServiceTypes } from '../service.js'
import type { CurrentStore } from '../store/current-store.js'
import type { InstanceControls } from './controls.js'
import type { InstanceDependencies } from './dependencies.js'

/** All that happened to an instance since its last reset, and where it started. */
export function describeRun<T extends ServiceTypes>(
  { definition, startingData, sandbox }: InstanceDependencies<T>,
  store: CurrentStore<T>,
  { recording, clock, faults, overrides }: InstanceControls,
): Reproduction {
  return toReproduction({
    specHash: definition.specHash,
    document: definition.document,
    keys: definition.contract.keyNames,
    sandbox,
    ...describeStart(definition, startingData, store.start()),
    missing: recording.missing,
    steps: recording.steps(),
    end: { clock: clock.state(), faults: faults.faults.list(), overrides: overrides.list.list() },
  })
}
