import type { MatcherState } from 'vitest'
import { MockError } from '../engine/contract/errors.js'
import type { StoreOperationId } from '../engine/contract/types.js'
import type { Journal, JournalEntry } from '../engine/control/journal.js'
import { stringifyJson } from '../lib/json.js'
import { byDistance, type Equals, type ExpectedRequest, isReceived, pick, readExpected, toShown } from './received.js'

/** What `expect(petstore)` can be asked, typed by the document's operations. */
export interface PetstoreMatchers {
  /** At least one request of this operation that holds what is expected. */
  toHaveReceived<O extends StoreOperationId>(operation: O, expected?: ExpectedRequest<O>): void
  toHaveReceivedTimes<O extends StoreOperationId>(operation: O, times: number, expected?: ExpectedRequest<O>): void
  /** No request was refused because it is not one of the document. */
  toHaveNoContractViolations(): void
}

interface Verdict {
  readonly pass: boolean
  readonly message: () => string
}

export const petstoreMatchers = {
  toHaveReceived(this: MatcherState, received: unknown, operation: StoreOperationId, given: object = {}): Verdict {
    const { journal, expected, matching, others } = search(this, received, operation, given)
    const wanted = describeWanted(this, operation, expected)
    if (matching.length > 0) {
      return pass(() => [`expected the pet store not to have received ${wanted}, but it did:`, ...list(matching)])
    }
    // Nothing can be said of requests that are forgotten, neither that they were there nor that they were not.
    if (this.isNot && journal.evicted > 0) return pass(() => [cannotTell(journal)])
    return fail(() => [
      `expected the pet store to have received ${wanted}`,
      ...describeInstead(this, journal, operation, expected, others),
    ])
  },

  toHaveReceivedTimes(
    this: MatcherState,
    received: unknown,
    operation: StoreOperationId,
    times: number,
    given: object = {},
  ): Verdict {
    const { journal, expected, matching, others } = search(this, received, operation, given)
    const wanted = describeWanted(this, operation, expected)
    if (journal.evicted > 0) return { pass: this.isNot, message: () => cannotTell(journal) }
    if (matching.length === times) {
      return pass(() => [`expected the pet store not to have received ${wanted} ${count(times)}, but it did`])
    }
    return fail(() => [
      `expected the pet store to have received ${wanted} ${count(times)}, but it did ${count(matching.length)}`,
      ...list(matching),
      ...(matching.length < times ? describeInstead(this, journal, operation, expected, others) : []),
    ])
  },

  toHaveNoContractViolations(this: MatcherState, received: unknown): Verdict {
    const journal = journalOf(received)
    const broken = journal.entries().filter(({ violations }) => violations !== undefined)
    if (broken.length > 0) {
      const lines = broken.map((entry) => `${describeEntry(entry)}\n    ${entry.violations?.join('\n    ')}`)
      return fail(() => [`expected every request to keep to the document, but ${broken.length} did not:`, ...lines])
    }
    if (journal.evicted > 0) return { pass: this.isNot, message: () => cannotTell(journal) }
    return pass(() => [`expected a request to break the document, but all ${journal.total} keep to it`])
  },
}

function pass(lines: () => string[]): Verdict {
  return { pass: true, message: () => lines().join('\n') }
}

function fail(lines: () => string[]): Verdict {
  return { pass: false, message: () => lines().join('\n') }
}

function journalOf(received: unknown): Journal {
  const journal = (received as { journal?: Journal } | null | undefined)?.journal
  if (typeof journal?.entries === 'function') return journal
  throw new MockError('INVALID_OPTION', 'this is asked of a pet store: expect(petstore)')
}

/** What was received, parted into what is expected and the rest, which is the nearest first. */
function search(state: MatcherState, received: unknown, operation: StoreOperationId, given: object) {
  const journal = journalOf(received)
  const expected = readExpected(given)
  const { iterableEquality, subsetEquality } = state.utils
  const testers = [...state.customTesters, sameInteger, iterableEquality, subsetEquality]
  const equals: Equals = (actual, wanted) => state.equals(actual, wanted, testers)
  // Also refuses an operation that there is not.
  const matching = journal.entries({ operation }).filter((entry) => isReceived(entry, operation, expected, equals))
  const ids = new Set(matching.map(({ id }) => id))
  const rest = journal.entries().filter(({ id }) => !ids.has(id))
  return { journal, expected, matching, others: byDistance(rest, operation, expected, equals) }
}

/** The same id, be it spelled as a number or as a bigint. */
function sameInteger(a: unknown, b: unknown): boolean | undefined {
  if (typeof a === 'bigint' && typeof b === 'number') return Number.isInteger(b) && a === BigInt(b)
  if (typeof a === 'number' && typeof b === 'bigint') return sameInteger(b, a)
  return undefined
}

/** How many of those that do not match are worth reading. */
const MAX_SHOWN = 5

function describeInstead(
  state: MatcherState,
  journal: Journal,
  operation: string,
  expected: object,
  others: readonly JournalEntry[],
): string[] {
  const [nearest] = others
  if (nearest === undefined) return [journal.total === 0 ? 'It received nothing.' : '', ...forgotten(journal)]
  const isSame = nearest.operation === operation
  const difference = isSame ? state.utils.diff(expected, pick(toShown(nearest), expected)) : undefined
  return [
    '',
    isSame ? 'The nearest it received:' : `It received no ${operation} at all, but:`,
    describeEntry(nearest),
    ...(difference === undefined ? [] : ['', difference, '']),
    ...list(others).slice(1),
    ...forgotten(journal),
  ]
}

function list(entries: readonly JournalEntry[]): string[] {
  const more = entries.length > MAX_SHOWN ? [`  and ${entries.length - MAX_SHOWN} more`] : []
  return [...entries.slice(0, MAX_SHOWN).map(describeEntry), ...more]
}

/** Long enough to know a request again by. */
const MAX_BODY = 120

function describeEntry({ id, method, path, query, operation, request, status }: JournalEntry): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => `${name}=${each}`))
  const asked = pairs.length > 0 ? `?${pairs.join('&')}` : ''
  const body = request.body === undefined ? '' : ` ${stringifyJson(request.body)?.slice(0, MAX_BODY)}`
  return `  #${id} ${operation ?? 'no operation'}: ${method} ${path}${asked}${body} → ${status}`
}

function describeWanted({ utils }: MatcherState, operation: string, expected: object): string {
  if (Object.keys(expected).length === 0) return operation
  return `${operation} with ${utils.stringify(expected, undefined, { min: true })}`
}

function count(times: number): string {
  return times === 1 ? 'once' : `${times} times`
}

function forgotten({ evicted }: Journal): string[] {
  return evicted > 0 ? [`The journal has forgotten the first ${evicted}: raise journalSize to keep them.`] : []
}

function cannotTell({ evicted, total }: Journal): string {
  return `of ${total} requests the journal has forgotten the first ${evicted}, so this cannot be told: raise journalSize`
}
