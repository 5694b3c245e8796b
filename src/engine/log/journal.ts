import type { Contract } from '../../document/contract/contract.js'
import type { AnyOperations } from '../../document/schema/types.js'
import type { Validate } from '../../document/validate/validators.js'
import { describeViolation } from '../../document/validate/violations.js'
import { validators } from '../../generated/engine/rules/rule-validators.js'
import { describeUnknown, invalidOption, MockError } from '../../http/errors.js'
import type { PlainRequest } from '../../http/messages.js'
import { wait } from '../../lib/clock.js'
import type { Steps } from '../../lib/steps.js'
import { isPlainObject } from '../../lib/values.js'
import { compileMatch, findMatchProblem, type RequestMatch, toJsonMatch } from '../rules/request-match.js'
import { type Har, toHar } from './har.js'
import { type JournalEntry, renderEntry } from './journal-entry.js'
import type { ListedEntries } from './log.js'
import type { StoredEntry } from './stored-entry.js'
import { checkWait, DEFAULT_TIMEOUT_MS, describeTimeout, isCount, MAX_LISTED, type WaitOptions } from './wait.js'

export interface JournalFilter<OperationId extends PropertyKey = string> {
  operation?: OperationId
  status?: number
  method?: string
  /** Only requests with this in their query, headers or body. */
  match?: RequestMatch
  /** Only entries after the one with this id. */
  since?: number
  /** Only the newest entries, up to this number. */
  limit?: number
}

/**
 * The recorded requests and responses, in the order in which the requests arrived. A request is recorded when it arrives, and
 * its response when it is sent. When the journal is full, the oldest are evicted.
 */
export interface Journal<Ops extends object = AnyOperations> {
  entries<O extends keyof Ops>(filter: JournalFilter<O> & { operation: O }): JournalEntry<Ops, O>[]
  entries(filter?: JournalFilter<keyof Ops>): JournalEntry<Ops>[]
  /**
   * Resolves with the requests of an operation as soon as enough have arrived, those already in the journal included. Their
   * responses may be pending; with `status` it waits for the responses. Rejects with a MockError that lists what did arrive
   * when they do not come in time.
   */
  waitFor<O extends keyof Ops>(operation: O, options?: WaitOptions): Promise<JournalEntry<Ops, O>[]>
  /** Undefined when there was no such entry, or it was evicted. */
  find(id: number): JournalEntry<Ops> | undefined
  /** The entries as HAR 1.2, which browsers' developer tools can open. */
  toHar(filter?: JournalFilter<keyof Ops>): Har
  /** How many requests were recorded since the last reset or `clear`. */
  readonly total: number
  /** How many of them were evicted. */
  readonly evicted: number
  /** Never set. Its type tells matchers the operations, also those of another build of this package. */
  readonly operations?: Ops
  clear(): void
}

/** How long to wait for entries, and for how many. Either signal ends it early. */
export interface Waiting {
  readonly times: number
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly closing?: AbortSignal | undefined
}

/** Some entries, and how many there were at that time. */
export interface JournalPart {
  readonly entries: JournalEntry[]
  readonly total: number
  readonly evicted: number
}

export function createJournal(listed: ListedEntries, contract: Contract) {
  /** Called with each entry, when it is new and when it is completed, and what each has found. */
  const waiting = new Map<(entry: StoredEntry) => void, StoredEntry[]>()

  const render = (entry: StoredEntry) => renderEntry(entry, contract)

  function* renderAll(entries: readonly StoredEntry[]): Steps<JournalEntry[]> {
    const rendered: JournalEntry[] = []
    for (const entry of entries) {
      yield
      rendered.push(render(entry))
    }
    return rendered
  }

  function findRaw(filter: JournalFilter): StoredEntry[] {
    return newest(listed.all().filter(compileFilter(filter)), filter)
  }

  function newest(entries: readonly StoredEntry[], { limit = entries.length }: JournalFilter): StoredEntry[] {
    return entries.slice(Math.max(0, entries.length - limit))
  }

  function compileFilter(filter: JournalFilter): (entry: StoredEntry) => boolean {
    checkFilter(filter)
    const { operation, status, method, match, since = 0 } = filter
    if (operation !== undefined) contract.requireOperation(operation)
    const matches = match && compileFilterMatch(match)
    return ({ id, request, response, trace, isPending }) =>
      id > since &&
      (operation === undefined || trace.operation === operation) &&
      (status === undefined || (response.status === status && !isPending)) &&
      (method === undefined || request.method === method.toUpperCase()) &&
      (matches === undefined || matches(request))
  }

  /** The matching entries as soon as there are enough, or when the time is up. Those evicted meanwhile are included. */
  async function waitForRaw(
    filter: JournalFilter,
    { times, timeoutMs, signal, closing }: Waiting,
  ): Promise<StoredEntry[]> {
    const isMatch = compileFilter(filter)
    const found = listed.all().filter(isMatch)
    if (found.length >= times || timeoutMs === 0) return newest(found, filter)
    const done = new AbortController()
    const end = () => done.abort()
    let failure: unknown
    const check = (entry: StoredEntry) => {
      try {
        if (isMatch(entry) && !found.includes(entry) && found.push(entry) >= times) end()
      } catch (error) {
        // The filter takes too long. The request that it looks at must not fail for that.
        failure = error
        end()
      }
    }
    // Not `AbortSignal.any`: in jsdom, these signals are not of the same realm.
    const signals = [signal, closing]
    for (const each of signals) {
      each?.addEventListener('abort', end)
      if (each?.aborted) end()
    }
    waiting.set(check, found)
    await wait(timeoutMs, done.signal)
    waiting.delete(check)
    for (const each of signals) each?.removeEventListener('abort', end)
    if (failure !== undefined) throw failure
    return newest(found, filter)
  }

  const journal: Journal = {
    entries: (filter: JournalFilter = {}) => findRaw(filter).map(render) as never,
    async waitFor(operation: string, options: WaitOptions = {}) {
      checkWait(options)
      const { times = 1, timeoutMs = DEFAULT_TIMEOUT_MS, ...filter } = options
      const entries = await waitForRaw({ operation, ...filter }, { times, timeoutMs })
      if (entries.length >= times) return entries.map(render) as never
      throw new MockError(
        'TIMEOUT',
        describeTimeout(operation, options, entries.length, journal.entries({ limit: MAX_LISTED })),
      )
    },
    find(id) {
      const entry = listed.find(id)
      return entry && render(entry)
    },
    toHar: (filter) => toHar(journal.entries(filter)),
    get total() {
      return listed.total
    },
    get evicted() {
      return listed.evicted
    },
    clear() {
      listed.clear()
      // Those still waiting must not mix entries from before and after.
      for (const found of waiting.values()) found.length = 0
    },
  }

  return {
    journal,
    /** Resolves when there are enough. The steps read them. */
    async waitForEntries(filter: JournalFilter, waiting: Waiting = { times: 1, timeoutMs: 0 }) {
      const found = await waitForRaw(filter, waiting)
      // Requests may arrive before the entries are rendered.
      const { total, evicted } = journal
      return (function* (): Steps<JournalPart> {
        return { entries: yield* renderAll(found), total, evicted }
      })()
    },
    /** For those who wait: an entry is new, or has its response. */
    announce(entry: StoredEntry): void {
      for (const check of waiting.keys()) check(entry)
    },
  }
}

/** What the regular expressions of others may take for all entries: about a second. */
const MAX_STEPS = 20_000_000

function compileFilterMatch(match: RequestMatch): (request: PlainRequest) => boolean {
  const json = toJsonMatch(match)
  const validate = validators.schemas.RequestMatch as Validate
  validate(json)
  const [error] = validate.errors ?? []
  const problem = error ? describeViolation(error, (pointer) => `/match${pointer}`) : findMatchProblem(json)
  if (problem !== undefined) throw new MockError('INVALID_OPTION', problem)
  const matches = compileMatch(match)
  const work = { left: MAX_STEPS }
  return (request) => matches(request, work)
}

const FILTERS = ['operation', 'status', 'method', 'match', 'since', 'limit']

/** A mistake must not go unnoticed: everything would match, or nothing. */
function checkFilter(filter: JournalFilter): void {
  for (const [name, value] of Object.entries(filter)) {
    if (!FILTERS.includes(name)) {
      throw new MockError('INVALID_OPTION', describeUnknown('journal filter', name, FILTERS))
    }
    const [isValid, expected] = EXPECTATIONS[name] ?? [isText, 'a string']
    if (value !== undefined && !isValid(value)) throw invalidOption(name, expected, value)
  }
}

const isText = (value: unknown) => typeof value === 'string'
const COUNT = [isCount, 'a whole number of 0 or more'] as const

const EXPECTATIONS: Readonly<Record<string, readonly [isValid: (value: unknown) => boolean, expected: string]>> = {
  status: COUNT,
  since: COUNT,
  limit: COUNT,
  match: [isPlainObject, 'an object with query, headers or body'],
}
