import { MockError, quote } from '../engine/contract/errors.js'
import type { BodyOf, PathOf, QueryOf, StoreOperationId } from '../engine/contract/types.js'
import type { JournalEntry } from '../engine/control/journal.js'
import { sentHeadersOf } from '../engine/control/journal-entry.js'
import { isPlainObject } from '../lib/plain-object.js'

/** What a request is expected to hold. Whatever is left out may be anything; asymmetric matchers may stand anywhere. */
export interface ExpectedRequest<O extends StoreOperationId> {
  params?: Some<PathOf<O>>
  query?: Some<QueryOf<O>>
  body?: Loose<BodyOf<O>>
  headers?: Record<string, string>
  /** What it was answered with. */
  status?: number
}

/** An operation without parameters has none to expect. */
type Some<T> = keyof T extends never ? Record<string, never> : Partial<T>

type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { [K in keyof T]?: Loose<T[K]> }
    : T

export type Equals = (actual: unknown, expected: unknown) => boolean

/** A request by the names under which a test expects it. */
export interface ReceivedRequest {
  readonly params: object
  readonly query: object
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly status: number
}

/** As it is shown: secrets are hidden. */
export function toShown({ params, query, status, request }: JournalEntry): ReceivedRequest {
  return { params, query, body: request.body, headers: request.headers, status }
}

/** As it was sent, to be compared: a test may well expect that its token was. */
function toSent(entry: JournalEntry): ReceivedRequest {
  return { ...toShown(entry), headers: sentHeadersOf(entry) }
}

/** Header names are the same in every spelling; a member that there is not would never be found. */
export function readExpected(expected: ExpectedRequest<StoreOperationId>): object {
  const unknown = Object.keys(expected).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined) {
    throw new MockError(
      'INVALID_OPTION',
      `a request has no ${quote(unknown)} to expect: there are ${MEMBERS.join(', ')}`,
    )
  }
  if (expected.headers === undefined) return expected
  const headers = Object.entries(expected.headers).map(([name, value]) => [name.toLowerCase(), value])
  return { ...expected, headers: Object.fromEntries(headers) }
}

const MEMBERS = ['params', 'query', 'body', 'headers', 'status']

export function isReceived(entry: JournalEntry, operation: string, expected: object, equals: Equals): boolean {
  return entry.operation === operation && equals(toSent(entry), expected)
}

/** A request that was received, and how far it is from the one that is expected. */
interface Candidate {
  readonly entry: JournalEntry
  readonly distance: number
}

/** A request for another operation is farther away than any for this one. */
const ANOTHER_OPERATION = 1_000_000

/** Everything that was received, the nearest to what is expected first, of equally near ones the newest. */
export function byDistance(
  entries: readonly JournalEntry[],
  operation: string,
  expected: object,
  equals: Equals,
): JournalEntry[] {
  const candidates: Candidate[] = entries.map((entry) => {
    const differing = countDifferences(toSent(entry), expected, equals)
    return { entry, distance: differing + (entry.operation === operation ? 0 : ANOTHER_OPERATION) }
  })
  return candidates.sort((a, b) => a.distance - b.distance || b.entry.id - a.entry.id).map(({ entry }) => entry)
}

/** How many of the expected values are not there, however deep they stand. */
function countDifferences(actual: unknown, expected: unknown, equals: Equals): number {
  if (equals(actual, expected)) return 0
  // An asymmetric matcher is compared as a whole.
  if (!isPlainObject(expected)) return 1
  const members = isPlainObject(actual) ? actual : {}
  return Object.entries(expected).reduce(
    (count, [name, value]) => count + countDifferences(members[name], value, equals),
    0,
  )
}

/** The part of a request that something is expected of, to be shown beside it. */
export function pick(actual: unknown, expected: unknown): unknown {
  if (!isPlainObject(actual) || !isPlainObject(expected)) return actual
  return Object.fromEntries(
    Object.keys(expected)
      .filter((name) => name in actual)
      .map((name) => [name, pick(actual[name], expected[name])]),
  )
}
