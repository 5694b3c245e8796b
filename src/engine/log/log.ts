import type { Outcome, PlainRequest } from '../../http/messages.js'
import { createLatestItems } from '../../lib/collections.js'
import type { EngineOptions } from '../options.js'
import { completeEntry, createEntry, type StoredEntry } from './stored-entry.js'

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

export type Step = StoredEntry | ControlStep

/**
 * Everything that happened since the last reset. It has two views: the journal has the requests since it was cleared, and the
 * reproduction has all steps in the order in which they began.
 */
export interface Log {
  /** A request has arrived. It is not in the journal yet. */
  begin(request: PlainRequest, at: number): StoredEntry
  /** It is for an operation, or has a response: the journal has it. */
  list(entry: StoredEntry, operation: string | undefined): void
  /** Returns whether the journal has it: it may have been cleared meanwhile. */
  complete(entry: StoredEntry, outcome: Outcome, durationMs: number): boolean
  /** Forgets a request that turned out not to be for the service. */
  drop(entry: StoredEntry): void
  addControl(control: Control, at: number): void
  readonly journal: ListedEntries
  /** How many steps were dropped, because there were too many. */
  readonly missing: number
  steps(): Step[]
  clear(): void
}

/** The entries since the journal was cleared. Their ids start at 1. */
export interface ListedEntries {
  readonly total: number
  readonly evicted: number
  /** The oldest first. */
  all(): StoredEntry[]
  find(id: number): StoredEntry | undefined
  clear(): void
}

/** So many are not made by hand; the oldest are dropped. */
const MAX_CONTROLS = 10_000

/** Each may be very large. What comes before the oldest is dropped: a state replaces all data, so it is missed least. */
const MAX_STATES = 100

export function createLog({ journalSize, journalBytes }: Pick<EngineOptions, 'journalSize' | 'journalBytes'>): Log {
  const inFlight = new Set<StoredEntry>()
  const entries = createLatestItems<StoredEntry>(journalSize)
  /** By position. */
  const controls = new Map<number, ControlStep>()
  /** The positions of the controls that replace all data. */
  const states: number[] = []
  let lastPosition = 0
  let storedBytes = 0
  let missing = 0
  /** Only the journal has what came before this position. */
  let firstPosition = 0
  /** How many entries there had been when the journal was cleared. */
  let cleared = 0

  const isStored = ({ index }: StoredEntry) => index >= entries.dropped()
  const isStep = ({ isPending, position }: StoredEntry) => !isPending && position >= firstPosition

  function makeRoom(added: number): void {
    storedBytes += added
    while (entries.added() - entries.dropped() > journalSize || storedBytes > journalBytes) {
      const oldest = entries.dropOldest()
      storedBytes -= oldest.bytes
      if (isStep(oldest)) missing += 1
    }
  }

  function dropBefore(position: number): void {
    const before = entries.toArray().filter((entry) => isStep(entry) && entry.position < position)
    const controlsBefore = [...controls.keys()].filter((each) => each < position)
    for (const each of controlsBefore) controls.delete(each)
    missing += before.length + controlsBefore.length
    firstPosition = position
  }

  return {
    begin(request, at) {
      lastPosition += 1
      const entry = createEntry(lastPosition, request, at)
      inFlight.add(entry)
      return entry
    },
    list(entry, operation) {
      entry.index = entries.added()
      entry.id = entry.index - cleared + 1
      if (operation !== undefined) entry.trace = { operation }
      entries.add(entry)
      makeRoom(entry.bytes)
    },
    complete(entry, outcome, durationMs) {
      inFlight.delete(entry)
      const added = completeEntry(entry, outcome, durationMs)
      if (isStored(entry)) makeRoom(added)
      else if (isStep(entry)) missing += 1
      return entry.index >= cleared
    },
    drop(entry) {
      inFlight.delete(entry)
    },
    addControl(control, at) {
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
    journal: {
      get total() {
        return entries.added() - cleared
      },
      get evicted() {
        return Math.max(0, entries.dropped() - cleared)
      },
      all: () => entries.toArray().slice(Math.max(0, cleared - entries.dropped())),
      find: (id) => (id >= 1 ? entries.get(cleared + id - 1) : undefined),
      clear() {
        cleared = entries.added()
      },
    },
    get missing() {
      return missing
    },
    steps() {
      const requests = [...inFlight, ...entries.toArray().filter(isStep)]
      const positions = requests.map((entry): [number, Step] => [entry.position, entry])
      return [...positions, ...controls].sort(([one], [other]) => one - other).map(([, step]) => step)
    },
    clear() {
      inFlight.clear()
      entries.clear()
      controls.clear()
      states.length = 0
      storedBytes = 0
      missing = 0
      firstPosition = 0
      cleared = 0
    },
  }
}
