import { createEvents, type MockEvent } from '../../src/engine/log/events.js'
import { createFaults, type FaultEngine } from '../../src/engine/rules/faults.js'
import type { PlainRequest } from '../../src/http/messages.js'
import { storeContract } from '../../src/petstore/contract.js'
import { ERROR_CODES } from '../../src/petstore/errors.js'

/** Requests as rules see them. */
const request: PlainRequest = { method: 'GET', path: '/', query: '', base: '', headers: {} }
export const GET_PET = { operation: 'getPet', method: 'GET', segments: ['pets', '1'], request }
export const CREATE = { operation: 'createPet', method: 'POST', segments: ['pets'], request }
export const LIST = { operation: 'listPets', method: 'GET', segments: ['pets'], request }

export function createEngine(seed = 1): FaultEngine {
  return createTimedEngine(seed).engine
}

/** An engine whose clock the test moves, and the events it emits. */
export function createTimedEngine(seed = 1) {
  let now = Date.parse('2026-05-01T00:00:00Z')
  const hub = createEvents(() => {})
  const emitted: MockEvent[] = []
  hub.subscribe((event) => emitted.push(event))
  const engine = createFaults({
    seed: () => seed,
    contract: storeContract(),
    errorCodes: ERROR_CODES,
    clock: { now: () => now },
    events: hub,
  })
  const advance = (milliseconds: number) => {
    now += milliseconds
  }
  return { engine, emitted, advance }
}
