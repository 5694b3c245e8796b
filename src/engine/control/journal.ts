import type { TimeSource } from '../../lib/clock.js'
import { LazyList } from '../../lib/lazy-list.js'
import type { Contract } from '../contract/contract.js'
import { describeUnknown, invalidOption, MockError } from '../contract/errors.js'
import type { Handled, PlainRequest } from '../contract/messages.js'
import type { AnyOperations } from '../contract/types.js'
import { type Har, toHar } from './har.js'
import { type JournalEntry, type RawEntry, renderEntry, toStored } from './journal-entry.js'

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

interface JournalPorts {
  /** The maximum number of entries, and about how many bytes they may take. */
  readonly size: number
  readonly bytes: number
  readonly contract: Contract
  readonly clock: TimeSource
}

export function createJournal({ size, bytes, contract, clock }: JournalPorts) {
  /** By id, oldest first. */
  const stored = new Map<number, RawEntry>()
  let storedBytes = 0
  let total = 0
  let evicted = 0

  const render = (entry: RawEntry) => renderEntry(entry, contract)

  function findRaw(filter: JournalFilter): RawEntry[] {
    checkFilter(filter)
    const { operation, status, method, since = 0, limit = size } = filter
    if (operation !== undefined) contract.requireOperation(operation)
    const matching = [...stored.values()].filter(
      ({ id, request, response, trace }) =>
        id > since &&
        (operation === undefined || trace.operation === operation) &&
        (status === undefined || response.status === status) &&
        (method === undefined || request.method === method.toUpperCase()),
    )
    return matching.slice(Math.max(0, matching.length - limit))
  }

  const journal: Journal = {
    entries: (filter: JournalFilter = {}) => findRaw(filter).map(render) as never,
    find(id) {
      const entry = stored.get(id)
      return entry && render(entry)
    },
    toHar: (filter) => toHar(journal.entries(filter)),
    get total() {
      return total
    },
    get evicted() {
      return evicted
    },
    clear() {
      stored.clear()
      storedBytes = 0
      total = 0
      evicted = 0
    },
  }

  return {
    journal,
    /** The entries of this moment, rendered as they are read. */
    lazyEntries: (filter: JournalFilter) => new LazyList(findRaw(filter)).map(render),
    record(request: PlainRequest, { response, trace }: Handled, durationMs: number): RawEntry {
      total += 1
      const entry = toStored({ id: total, at: clock.now(), durationMs, request, response, trace })
      stored.set(total, entry)
      storedBytes += entry.bytes
      while (stored.size > size || storedBytes > bytes) {
        evicted += 1
        storedBytes -= stored.get(evicted)?.bytes ?? 0
        stored.delete(evicted)
      }
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
