import { createEvents, type PetstoreEvent } from '../../src/engine/control/events.js'
import { createFaults, type FaultEngine } from '../../src/engine/control/faults.js'

/** The operations that a fault rule may name. */
export const OPERATIONS = ['listPets', 'createPet', 'getPet', 'createOrder']

/** Requests, as fault rules match them. */
export const GET_PET = { operation: 'getPet', method: 'GET', segments: ['pets', '1'] }
export const CREATE = { operation: 'createPet', method: 'POST', segments: ['pets'] }
export const LIST = { operation: 'listPets', method: 'GET', segments: ['pets'] }

export function createEngine(seed = 1): FaultEngine {
  return createTimedEngine(seed).engine
}

/** A fault engine with a clock that the test advances, and the events it emits. */
export function createTimedEngine(seed = 1) {
  let now = Date.parse('2026-05-01T00:00:00Z')
  const events = createEvents((error) => {
    throw error
  })
  const emitted: PetstoreEvent[] = []
  events.subscribe((event) => emitted.push(event))
  const engine = createFaults({
    seed: () => seed,
    operations: OPERATIONS,
    findOutOfReach: () => undefined,
    clock: { now: () => now },
    events,
  })
  const advance = (milliseconds: number) => {
    now += milliseconds
  }
  return { engine, emitted, advance }
}
