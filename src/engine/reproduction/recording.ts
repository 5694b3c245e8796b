import { LatestItems } from '../../lib/latest-items.js'
import type { PlainRequest } from '../contract/messages.js'
import type { RawEntry } from '../control/journal-entry.js'
import type { EngineOptions } from '../options.js'

/** A request to the service, as it arrived. */
export interface RequestStep {
  /** Its number among the requests. */
  readonly number: number
  /** Its place among all steps. */
  readonly place: number
  /** When it arrived, by the mock's clock. */
  readonly at: number
  request: PlainRequest
  /** Undefined while there is no response yet. */
  entry: RawEntry | undefined
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
  const requests = new LatestItems<RequestStep>(journalSize)
  /** By their place among all steps. */
  const controls = new Map<number, ControlStep>()
  /** The places of the controls that replace all data. */
  const states: number[] = []
  let lastPlace = 0
  let storedBytes = 0
  let missing = 0

  const isStored = (step: RequestStep) => requests.get(step.number) === step

  function drop(step: RequestStep): void {
    if (!isStored(step)) return
    requests.delete(step.number)
    storedBytes -= step.entry?.bytes ?? 0
  }

  function evict(): void {
    while (requests.length > journalSize || storedBytes > journalBytes) {
      const oldest = requests.dropOldest()
      if (oldest === undefined) continue
      storedBytes -= oldest.entry?.bytes ?? 0
      missing += 1
    }
  }

  function dropBefore(first: number): void {
    const requestsBefore = requests.toArray().filter(({ place }) => place < first)
    const controlsBefore = [...controls.keys()].filter((place) => place < first)
    for (const step of requestsBefore) drop(step)
    for (const place of controlsBefore) controls.delete(place)
    missing += requestsBefore.length + controlsBefore.length
  }

  return {
    /** How many steps were dropped, because there were too many. */
    get missing(): number {
      return missing
    },
    begin(request: PlainRequest, at: number): RequestStep {
      lastPlace += 1
      const step = { number: requests.added + 1, place: lastPlace, at, request, entry: undefined }
      requests.add(step)
      evict()
      return step
    },
    complete(step: RequestStep, entry: RawEntry): void {
      if (!isStored(step)) return
      // The request of the entry has only the start of a long body.
      step.request = entry.request
      step.entry = entry
      storedBytes += entry.bytes
      evict()
    },
    /** Forgets a request that turned out not to be for the service. */
    drop,
    addControl(control: Control, at: number): void {
      lastPlace += 1
      controls.set(lastPlace, { at, control })
      if (typeof control.body === 'function' && states.push(lastPlace) > MAX_STATES) {
        states.shift()
        dropBefore(states[0] as number)
      }
      if (controls.size <= MAX_CONTROLS) return
      const [oldest] = controls.keys()
      controls.delete(oldest as number)
      missing += 1
    },
    steps(): Step[] {
      const all: [number, Step][] = requests.toArray().map((step) => [step.place, step])
      all.push(...controls)
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
