import type { PlainRequest } from '../contract/messages.js'
import type { RawEntry } from '../control/journal-entry.js'
import type { EngineOptions } from '../options.js'

/** A request to the service, as it arrived. */
export interface RequestStep {
  /** When it arrived, by the mock's clock. */
  readonly at: number
  readonly request: PlainRequest
  /** Missing while there is no response yet. */
  readonly entry?: RawEntry
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
 * Everything that happened since the last reset, in the order in which it began. The journal has the same requests, but in
 * the order in which they ended, and a test can clear it.
 */
export function createRecording({ journalSize, journalBytes }: Pick<EngineOptions, 'journalSize' | 'journalBytes'>) {
  const requests = new Map<number, RequestStep>()
  const controls = new Map<number, ControlStep>()
  /** The numbers of the controls that replace all data. */
  const states: number[] = []
  let lastNumber = 0
  let storedBytes = 0
  let missing = 0

  function drop(number: number): void {
    storedBytes -= requests.get(number)?.entry?.bytes ?? 0
    requests.delete(number)
  }

  function evict(): void {
    for (const number of requests.keys()) {
      if (requests.size <= journalSize && storedBytes <= journalBytes) return
      drop(number)
      missing += 1
    }
  }

  function dropBefore(first: number): void {
    const before = [...requests.keys(), ...controls.keys()].filter((number) => number < first)
    for (const number of before) {
      drop(number)
      controls.delete(number)
    }
    missing += before.length
  }

  return {
    /** How many steps were dropped, because there were too many. */
    get missing(): number {
      return missing
    },
    /** Returns a number for `complete` and `drop`. */
    begin(request: PlainRequest, at: number): number {
      lastNumber += 1
      requests.set(lastNumber, { at, request })
      return lastNumber
    },
    complete(number: number, entry: RawEntry): void {
      const step = requests.get(number)
      if (step === undefined) return
      // The request of the entry has only the start of a long body.
      requests.set(number, { at: step.at, request: entry.request, entry })
      storedBytes += entry.bytes
      evict()
    },
    /** Forgets a request that turned out not to be for the service. */
    drop,
    addControl(control: Control, at: number): void {
      lastNumber += 1
      controls.set(lastNumber, { at, control })
      if (typeof control.body === 'function' && states.push(lastNumber) > MAX_STATES) {
        states.shift()
        dropBefore(states[0] as number)
      }
      if (controls.size <= MAX_CONTROLS) return
      const [oldest] = controls.keys()
      controls.delete(oldest as number)
      missing += 1
    },
    steps(): Step[] {
      const all: [number, Step][] = [...requests, ...controls]
      return all.sort(([one], [other]) => one - other).map(([, step]) => step)
    },
    clear(): void {
      requests.clear()
      controls.clear()
      states.length = 0
      storedBytes = 0
      missing = 0
    },
  }
}
