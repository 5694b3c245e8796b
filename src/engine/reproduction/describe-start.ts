import type { ServiceDefinition, ServiceTypes } from '../service.js'
import type { StartingData, StartingPoint } from '../store/starting-data.js'
import { createStore } from '../store/store.js'
import type { Reproduction } from './reproduction.js'

/** The options of an instance, and its starting data: how it was generated, or the data itself. */
export function describeStart<T extends ServiceTypes>(
  definition: ServiceDefinition<T>,
  startingData: StartingData<T>,
  { base, seed, scenario }: StartingPoint<T>,
): Pick<Reproduction, 'options' | 'start'> {
  const { data, others } = definition.describeOptions(startingData.given)
  const isGenerated = base === startingData.get().base && !startingData.hasFixtures
  if (isGenerated) return { options: others, start: { ...data, seed, scenario } }
  const state = definition.exportState(createStore(base).collections)
  return { options: others, start: { seed, state } }
}
