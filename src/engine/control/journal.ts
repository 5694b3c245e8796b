import type { TimeSource } from '../../lib/clock.js'
import { describeUnknown, invalidOption, MockError, requireOperation } from '../contract/errors.js'
import type { AppliedFault, Handled, PlainRequest } from '../contract/messages.js'
import type { AnyOperations, BodyOf, PathOf, QueryOf } from '../contract/types.js'
import { type Har, toHar } from './har.js'

/** A request and its response. */
export interface JournalEntry<Ops extends object = AnyOperations, O extends keyof Ops = keyof Ops> {
  /** Starts at 1. */
  readonly id: number
  /** When the response was ready, by the mock's clock. */
  readonly at: string
  readonly method: string
  /** As it was sent. */
  readonly path: string
  /** With the types that the OpenAPI document declares; undeclared and invalid values are text. */
  readonly query: QueryOf<Ops[O]>
  /** Missing when the request was not for an operation. */
  readonly operation?: O
  /** The parameters in the path. */
  readonly params: PathOf<Ops[O]>
  /** 0 when nothing was sent. */
  readonly status: number
  readonly durationMs: number
  /** The fault that was applied, by a rule or by the client's `Prefer`. */
  readonly fault?: AppliedFault
  /** How the request violated the contract, when it was rejected for that. */
  readonly violations?: readonly string[]
  readonly request: JournalMessage<BodyOf<Ops[O]>>
  readonly response: JournalMessage<unknown>
}

export interface JournalMessage<Body> {
  /** Names are in lower case, secrets are hidden. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON; text when it is not JSON, has more than 100 levels or, in a request, more than 500 values. */
  readonly body?: Body
  /** The body was too long: only the start of its text is stored. */
  readonly cut?: true
}

/** An entry as it is stored. It is rendered when it is read. */
export interface RawEntry {
  readonly id: number
  readonly at: number
  readonly durationMs: number
  readonly request: PlainRequest
  readonly response: Handled['response']
  readonly trace: Handled['trace']
  /** About how much memory it takes. */
  readonly bytes: number
  /** Which of the bodies were cut. */
  readonly cut?: { readonly request: boolean; readonly response: boolean }
}

export interface JournalFilter<OperationId extends PropertyKey = string> {
  operation?: OperationId
  status?: number
  method?: string
  /** Only entries after the one with this id. */
  since?: number
  /** Only the newest entries, up to this number. */
  limit?: number
}

/** The recorded requests and responses, oldest first. When it is full, the oldest are evicted. */
export interface Journal<Ops extends object = AnyOperations> {
  entries<O extends keyof Ops>(filter: JournalFilter<O> & { operation: O }): JournalEntry<Ops, O>[]
  entries(filter?: JournalFilter<keyof Ops>): JournalEntry<Ops>[]
  /** Undefined when there was no such entry, or it was evicted. */
  find(id: number): JournalEntry<Ops> | undefined
  /** The entries as HAR 1.2, which browsers' developer tools can open. */
  toHar(filter?: JournalFilter<keyof Ops>): Har
  /** How many requests were recorded since the last reset or `clear`. */
  readonly total: number
  /** How many of them were evicted. */
  readonly evicted: number
  clear(): void
}

export interface JournalPorts {
  /** The maximum number of entries, and about how many bytes they may take. */
  readonly size: number
  readonly bytes: number
  readonly operations: readonly string[]
  readonly clock: TimeSource
  /** Cuts bodies that are too long. */
  toStored(entry: Omit<RawEntry, 'bytes' | 'cut'>): RawEntry
  render(entry: RawEntry): JournalEntry
}

export function createJournal({ size, bytes, operations, clock, toStored, render }: JournalPorts): {
  journal: Journal
  record(request: PlainRequest, handled: Handled, durationMs: number): RawEntry
} {
  /** A ring buffer: the place of an entry follows from its id. */
  let ring: (RawEntry | undefined)[] = []
  let storedBytes = 0
  let total = 0
  let evicted = 0

  function clear(): void {
    ring = []
    storedBytes = 0
    total = 0
    evicted = 0
  }

  const placeOf = (id: number) => (id - 1) % size
  const oldestFirst = () =>
    Array.from({ length: total - evicted }, (_, index) => ring[placeOf(evicted + 1 + index)] as RawEntry)

  function evictOldest(): void {
    const place = placeOf(evicted + 1)
    storedBytes -= ring[place]?.bytes ?? 0
    ring[place] = undefined
    evicted += 1
  }

  const journal: Journal = {
    entries(filter: JournalFilter = {}) {
      checkFilter(filter)
      const { operation, status, method, since = 0, limit = size } = filter
      if (operation !== undefined) requireOperation(operation, operations)
      const matching = oldestFirst().filter(
        ({ id, request, response, trace }) =>
          id > since &&
          (operation === undefined || trace.operation === operation) &&
          (status === undefined || response.status === status) &&
          (method === undefined || request.method === method.toUpperCase()),
      )
      return matching.slice(Math.max(0, matching.length - limit)).map(render) as never
    },
    find(id) {
      const entry = ring[placeOf(id)]
      return entry?.id === id ? render(entry) : undefined
    },
    toHar: (filter) => toHar(journal.entries(filter)),
    get total() {
      return total
    },
    get evicted() {
      return evicted
    },
    clear,
  }

  return {
    journal,
    record(request, { response, trace }, durationMs) {
      const entry = toStored({ id: total + 1, at: clock.now(), durationMs, request, response, trace })
      total += 1
      if (size === 0) {
        evicted += 1
        return entry
      }
      const place = placeOf(total)
      const oldest = ring[place]
      if (oldest !== undefined) {
        storedBytes -= oldest.bytes
        evicted += 1
      }
      ring[place] = entry
      storedBytes += entry.bytes
      while (storedBytes > bytes) evictOldest()
      return entry
    },
  }
}

const FILTERS = ['operation', 'status', 'method', 'since', 'limit']

/** A mistake must not go unnoticed: everything would match, or nothing. */
function checkFilter(filter: JournalFilter): void {
  for (const [name, value] of Object.entries(filter)) {
    if (!FILTERS.includes(name)) {
      throw new MockError('INVALID_OPTION', describeUnknown('journal filter', name, FILTERS))
    }
    const isCount = Number.isSafeInteger(value) && (value as number) >= 0
    if (value === undefined || (COUNTS.includes(name) ? isCount : typeof value === 'string')) continue
    const expected = COUNTS.includes(name) ? 'a whole number of 0 or more' : 'a string'
    throw invalidOption(name, expected, value)
  }
}

const COUNTS = ['status', 'since', 'limit']
