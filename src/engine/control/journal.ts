import type { TimeSource } from '../../lib/clock.js'
import { MockError, requireOperation } from '../contract/errors.js'
import type { AppliedFault, PlainRequest, PlainResponse } from '../contract/messages.js'
import type { BodyOf, PathOf, QueryOf, StoreOperationId } from '../contract/types.js'
import { type Har, toHar } from './har.js'

/** A request and its answer. */
export interface JournalEntry<O extends StoreOperationId = StoreOperationId> {
  /** Counts from 1. */
  readonly id: number
  /** When it was answered, by the store's clock. */
  readonly at: string
  readonly method: string
  /** As it was sent. */
  readonly path: string
  /** Values of the kind the document declares, text where they are not of it or not declared. */
  readonly query: QueryOf<O>
  /** Where the request was for one of the document's operations. */
  readonly operation?: O
  /** The parameters in the path. */
  readonly params: PathOf<O>
  /** 0 where nothing was sent. */
  readonly status: number
  readonly durationMs: number
  /** What a fault rule, or the client with `Prefer`, did to it. */
  readonly fault?: AppliedFault
  /** How the request broke the contract, where it was refused for that. */
  readonly violations?: readonly string[]
  readonly request: JournalMessage<BodyOf<O>>
  readonly response: JournalMessage<unknown>
}

export interface JournalMessage<Body> {
  /** Names in lower case; secrets are hidden. */
  readonly headers: Readonly<Record<string, string>>
  /** The value of a JSON body, the text of any other, and of one with more than 100 levels or, in a request, 500 values. */
  readonly body?: Body
  /** The body was too long to be kept: what is there is the beginning of its text. */
  readonly cut?: true
}

/** An exchange as it is kept: worked out when somebody reads it. */
export interface RawEntry {
  readonly id: number
  readonly at: number
  readonly durationMs: number
  readonly request: PlainRequest
  readonly response: PlainResponse
  /** About what it takes to keep it. */
  readonly bytes: number
  /** Whose bodies are no longer whole. */
  readonly cut?: { readonly request: boolean; readonly response: boolean }
}

export interface JournalFilter<O extends StoreOperationId = StoreOperationId> {
  operation?: O
  status?: number
  method?: string
  /** Only entries after the one with this id. */
  since?: number
  /** The newest so many. */
  limit?: number
}

/** What was asked and answered, oldest first. Bounded: the oldest are forgotten, and counted. */
export interface Journal {
  entries<O extends StoreOperationId>(filter: JournalFilter<O> & { operation: O }): JournalEntry<O>[]
  entries(filter?: JournalFilter): JournalEntry[]
  /** The entry with this id, while it is kept. */
  find(id: number): JournalEntry | undefined
  /** The entries as an archive for browsers' developer tools and others: HAR 1.2. */
  toHar(filter?: JournalFilter): Har
  /** How many requests were answered since the last reset or `clear`. */
  readonly total: number
  /** How many of them are no longer kept: what is missing may be among them. */
  readonly evicted: number
  clear(): void
}

/** What keeping a journal needs. */
export interface JournalPorts {
  /** How many entries are kept, and about how many bytes of them. */
  readonly size: number
  readonly bytes: number
  /** Those that may be asked for. */
  readonly operations: readonly string[]
  /** The store's clock, for when. */
  readonly clock: TimeSource
  /** What is kept of an entry. */
  toKept(entry: Omit<RawEntry, 'bytes' | 'cut'>): RawEntry
  render(entry: RawEntry): JournalEntry
}

/** `journal` as its user sees it, and how it is written. */
export function createJournal({ size, bytes, operations, clock, toKept, render }: JournalPorts): {
  journal: Journal
  record(request: PlainRequest, response: PlainResponse, durationMs: number): RawEntry
} {
  /** Each at the place of its id; they go round once there are more than are kept. */
  let kept: (RawEntry | undefined)[] = []
  let keptBytes = 0
  let total = 0
  let evicted = 0

  function clear(): void {
    kept = []
    keptBytes = 0
    total = 0
    evicted = 0
  }

  const placeOf = (id: number) => (id - 1) % size
  const inOrder = () =>
    Array.from({ length: total - evicted }, (_, index) => kept[placeOf(evicted + 1 + index)] as RawEntry)

  function forgetOldest(): void {
    const place = placeOf(evicted + 1)
    keptBytes -= kept[place]?.bytes ?? 0
    kept[place] = undefined
    evicted += 1
  }

  const journal: Journal = {
    entries(filter: JournalFilter = {}) {
      requireKnown(filter)
      const { operation, status, method, since = 0, limit = size } = filter
      if (operation !== undefined) requireOperation(operation, operations)
      const matching = inOrder().filter(
        ({ id, request, response }) =>
          id > since &&
          (operation === undefined || response.operation === operation) &&
          (status === undefined || response.status === status) &&
          (method === undefined || request.method === method.toUpperCase()),
      )
      return matching.slice(Math.max(0, matching.length - limit)).map(render) as never
    },
    find(id) {
      const entry = kept[placeOf(id)]
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
    record(request, response, durationMs) {
      const entry = toKept({ id: total + 1, at: clock.now(), durationMs, request, response })
      total += 1
      if (size === 0) {
        evicted += 1
        return entry
      }
      const place = placeOf(total)
      const oldest = kept[place]
      if (oldest !== undefined) {
        keptBytes -= oldest.bytes
        evicted += 1
      }
      kept[place] = entry
      keptBytes += entry.bytes
      while (keptBytes > bytes) forgetOldest()
      return entry
    },
  }
}

const FILTERS = ['operation', 'status', 'method', 'since', 'limit']

/** A typo must be loud: with a filter that is not there everything would match. */
function requireKnown(filter: JournalFilter): void {
  const unknown = Object.keys(filter).find((name) => !FILTERS.includes(name))
  if (unknown === undefined) return
  throw new MockError('INVALID_OPTION', `the journal has no filter ${unknown}: there are ${FILTERS.join(', ')}`)
}
