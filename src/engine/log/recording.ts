import type { PlainRequest } from '../../http/messages.js'
import { createLatestItems } from '../../lib/collections.js'
import type { EngineOptions } from '../options.js'
import type { RawEntry } from './stored-entry.js'

/** A request to the service, as it arrived. */
export interface RequestStep {
  /** Its position among all steps. */
  readonly position: number
  /** When it arrived, by the mock's clock. */
  readonly at: number
  readonly request: PlainRequest
  /** Missing until it is known to be for an operation, or has a response. */
  entry?: RawEntry
}

/** What a test did between two requests, as the request to the admin API that does the same. */
export interface ControlStep {
  readonly at: number
  readonly control: Control
}

export interface Control {
  readonly method: string
  readonly path: string
  /** A function if it is large: it is called when the reproduction is written. */
  readonly body?: object | (() => object)
  /** The response of this override is made by a function or consists of bytes, which JSON cannot contain. */
  readonly isFunction?: true
  /** The call threw. */
  readonly failed?: true
}

export type Step = RequestStep | ControlStep

export type Recording = ReturnType<typeof createRecording>

/** So many are not made by hand; the oldest are dropped. */
const MAX_CONTROLS = 10_000

/** Each may be very large. What comes before the oldest is dropped: a state replaces all data, so it is missed least. */
const MAX_STATES = 100

/**
 * Everything that happened since the last reset, in the order in which it began. The journal has the same requests, but a
 * test can clear it.
 */
export function createRecording({ journalSize, journalBytes }: Pick<EngineOptions, 'journalSize' | 'journalBytes'>) {
  const inFlight = new Set<RequestStep>()
  /** In the order in which they ended. The entries alone: what is kept of each request is what makes collecting garbage slow. */
  const completed = createLatestItems<RawEntry>(journalSize)
  /** By position. */
  const controls = new Map<number, ControlStep>()
  /** The positions of the controls that replace all data. */
  const states: number[] = []
  let lastPosition = 0
  let storedBytes = 0
  let missing = 0

  function dropOldest(): void {
    storedBytes -= completed.dropOldest().bytes
    missing += 1
  }

  function dropBefore(first: number): void {
    const isBefore = ({ position }: RawEntry) => position < first
    for (let left = completed.toArray().filter(isBefore).length; left > 0; left--) dropOldest()
    const before = [...controls.keys()].filter((position) => position < first)
    for (const position of before) controls.delete(position)
    missing += before.length
  }

  return {
    /** How many steps were dropped, because there were too many. */
    get missing(): number {
      return missing
    },
    begin(request: PlainRequest, at: number): RequestStep {
      lastPosition += 1
      const step: RequestStep = { position: lastPosition, at, request }
      inFlight.add(step)
      return step
    },
    complete(step: RequestStep, entry: RawEntry): void {
      if (!inFlight.delete(step)) return
      completed.add(entry)
      storedBytes += entry.bytes
      while (completed.added() - completed.dropped() > journalSize || storedBytes > journalBytes) dropOldest()
    },
    /** Forgets a request that turned out not to be for the service. */
    drop(step: RequestStep): void {
      inFlight.delete(step)
    },
    addControl(control: Control, at: number): void {
      lastPosition += 1
      controls.set(lastPosition, { at, control })
      if (typeof control.body === 'function' && states.push(lastPosition) > MAX_STATES) {
        states.shift()
        dropBefore(states[0] as number)
      }
      if (controls.size <= MAX_CONTROLS) return
      const [oldest] = controls.keys()
      controls.delete(oldest as number)
      missing += 1
    },
    steps(): Step[] {
      const ended = completed.toArray().map((entry): RequestStep => ({ ...entry, entry }))
      const requests = [...inFlight, ...ended].map((step): [number, Step] => [step.position, step])
      return [...requests, ...controls].sort(([one], [other]) => one - other).map(([, step]) => step)
    },
    clear(): void {
      inFlight.clear()
      completed.clear()
      controls.clear()
      states.length = 0
      storedBytes = 0
      missing = 0
    },
  }
}
