import type { Journal } from '../../engine/log/journal.js'
import type { JournalEntry } from '../../engine/log/journal-entry.js'
import { describeStatus } from '../../engine/log/wait.js'
import { invalidOption, MockError } from '../../http/errors.js'
import { stringifyJson } from '../../lib/json.js'
import { createEquals, type MatcherState, PLAIN_STATE } from './matcher-state.js'
import {
  type ExpectedRequestFor,
  isReceived,
  pickExpected,
  resolveExpected,
  sortByCloseness,
  toShown,
} from './received.js'

/** The matchers of `expect(mock)`, typed by the operations of its OpenAPI document. Any other value has none. */
// biome-ignore lint/suspicious/noExplicitAny: for runners whose matchers do not know the type of the value
export interface PetstoreMatchers<T = any> {
  /** The mock received at least one request of this operation that matches. */
  toHaveReceived: OfMock<
    T,
    <O extends OperationIn<T>>(operation: O, expected?: ExpectedRequestFor<OperationsIn<T>[O]>) => void
  >
  /** The mock received exactly this many requests of the operation that match. */
  toHaveReceivedTimes: OfMock<
    T,
    <O extends OperationIn<T>>(operation: O, times: number, expected?: ExpectedRequestFor<OperationsIn<T>[O]>) => void
  >
  /** Every request that the mock received conforms to the OpenAPI document. */
  toHaveNoContractViolations: OfMock<T, () => void>
}

/** A matcher if `T` is a mock in this process, or a sandbox of one. */
type OfMock<T, Matcher> = T extends WithJournal ? Matcher : (this: ExpectRequiresMock, ...given: never[]) => void

/** No value has this type, so the matcher cannot be called: the compiler names it. vitest allows only functions here. */
interface ExpectRequiresMock {
  readonly mock: never
}

/** A mock, or a sandbox of one, in this process. */
export interface WithJournal<Operations extends object = object> {
  readonly journal: Pick<Journal<Operations>, 'operations' | 'total'>
}

export type OperationsIn<T> = T extends WithJournal<infer Operations> ? Operations : never
export type OperationIn<T> = keyof OperationsIn<T> & string

/** For `expect.extend(petstoreMatchers)`, in Jest for example. `petstore-mock/vitest` has done that. */
export const petstoreMatchers = {
  toHaveReceived(this: MatcherState, received: unknown, operation: string, given: object = {}) {
    const { journal, matching, description, describeOthers } = search(this, received, operation, given)
    if (matching.length > 0) {
      return result(true, () => [
        `expected the mock not to have received ${description}, but it did:`,
        ...list(matching),
      ])
    }
    // The missing requests might include a match.
    if (this.isNot && journal.evicted > 0) return incomplete(this, journal)
    return result(false, () => [`expected the mock to have received ${description}`, ...describeOthers()])
  },

  toHaveReceivedTimes(this: MatcherState, received: unknown, operation: string, times: number, given: object = {}) {
    if (!Number.isInteger(times) || times < 0) throw invalidOption('times', 'a whole number of 0 or more', times)
    const { journal, matching, description, describeOthers } = search(this, received, operation, given)
    if (journal.evicted > 0) return incomplete(this, journal)
    if (matching.length === times) {
      return result(true, () => [`expected the mock not to have received ${description} ${count(times)}, but it did`])
    }
    return result(false, () => [
      `expected the mock to have received ${description} ${count(times)}, but it did ${count(matching.length)}`,
      ...list(matching),
      ...(matching.length < times ? describeOthers() : []),
    ])
  },

  toHaveNoContractViolations(this: MatcherState, received: unknown) {
    const journal = journalOf(received)
    const invalid = journal.entries().filter(({ violations }) => violations !== undefined)
    if (invalid.length > 0) {
      return result(false, () => [
        `expected every request to conform to the OpenAPI document, but ${invalid.length} did not:`,
        ...invalid.map((entry) => `${describeEntry(entry)}\n    ${entry.violations?.join('\n    ')}`),
      ])
    }
    if (journal.evicted > 0) return incomplete(this, journal)
    return result(true, () => [
      `expected a request to violate the OpenAPI document, but all ${journal.total} conform to it`,
    ])
  },
}

function result(pass: boolean, lines: () => string[]) {
  return { pass, message: () => lines().join('\n') }
}

/** Fails an expectation, negated or not, that requests missing from the journal could change. */
function incomplete({ isNot }: MatcherState, journal: Journal) {
  return result(isNot === true, () => ['This cannot be checked.', ...describeMissing(journal)])
}

function describeMissing({ evicted, total }: Journal): string[] {
  if (evicted === 0) return []
  return [`The journal no longer contains the first ${evicted} of ${total} requests. Increase journalSize.`]
}

function journalOf(received: unknown): Journal {
  const journal = (received as { journal?: Journal } | null | undefined)?.journal
  if (typeof journal?.entries !== 'function') {
    throw new MockError('INVALID_OPTION', 'This matcher requires a mock: expect(petstore).')
  }
  if (typeof journal.total === 'number') return journal
  throw new MockError(
    'INVALID_OPTION',
    'This matcher requires a mock in this process. With a client, use its journal.waitFor, or the expect of ' +
      'petstore-mock/playwright.',
  )
}

/** For vitest. Jest writes one line anyway. */
const ON_ONE_LINE = { min: true } as never

/** Finds the received requests that match. */
function search(state: MatcherState, received: unknown, operation: string, given: object) {
  const journal = journalOf(received)
  const expected = resolveExpected(given)
  const equals = createEquals(state)
  const utils = state.utils.diff === undefined ? PLAIN_STATE.utils : state.utils
  // Filtering by operation also rejects an unknown one.
  const matching = journal.entries({ operation }).filter((entry) => isReceived(entry, operation, expected, equals))
  const isAny = Object.keys(expected).length === 0
  const description = isAny ? operation : `${operation} with ${utils.stringify(expected, undefined, ON_ONE_LINE)}`

  /** For a message only: with a full journal this takes long. */
  function describeOthers(): string[] {
    const ids = new Set(matching.map(({ id }) => id))
    const rest = journal.entries().filter(({ id }) => !ids.has(id))
    const others = sortByCloseness(rest, operation, expected, equals)
    const missing = describeMissing(journal)
    const [closest] = others
    if (closest === undefined) return [journal.total === 0 ? 'It received nothing.' : '', ...missing]
    const isSame = closest.operation === operation
    const difference = isSame ? utils.diff?.(expected, pickExpected(toShown(closest), expected)) : undefined
    return [
      '',
      isSame ? 'The closest request it received:' : `It received no ${operation}, but:`,
      describeEntry(closest),
      ...(difference ? ['', difference, ''] : []),
      ...list(others).slice(1),
      ...missing,
    ]
  }
  return { journal, matching, description, describeOthers }
}

const MAX_LISTED = 5

function list(entries: readonly JournalEntry[]): string[] {
  const more = entries.length > MAX_LISTED ? [`  and ${entries.length - MAX_LISTED} more`] : []
  return [...entries.slice(0, MAX_LISTED).map(describeEntry), ...more]
}

const MAX_BODY_LENGTH = 120

function describeEntry(entry: JournalEntry): string {
  const { id, method, path, query, operation, request } = entry
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => `${name}=${each}`))
  const search = pairs.length > 0 ? `?${pairs.join('&')}` : ''
  const body = request.body === undefined ? '' : ` ${stringifyJson(request.body)?.slice(0, MAX_BODY_LENGTH)}`
  return `  #${id} ${operation ?? 'no operation'}: ${method} ${path}${search}${body} → ${describeStatus(entry)}`
}

function count(times: number): string {
  return times === 1 ? 'once' : `${times} times`
}
