import type { BodyOf, PathOf, QueryOf, StoreOperationId } from '../contract/types.js'
import type { JournalEntry } from '../control/journal.js'

/** What a request is expected to hold. Whatever is left out may be anything; asymmetric matchers may stand anywhere. */
export interface ExpectedRequest<O extends StoreOperationId> {
  params?: Partial<PathOf<O>>
  query?: Partial<QueryOf<O>>
  body?: Loose<BodyOf<O>>
  /** Names in lower case. */
  headers?: Record<string, string>
  /** What it was answered with. */
  status?: number
}

type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { [K in keyof T]?: Loose<T[K]> }
    : T

export type Equals = (actual: unknown, expected: unknown) => boolean

/** A request by the names under which a test expects it. */
export function toReceived(entry: JournalEntry): Required<ExpectedRequest<StoreOperationId>> {
  const { params, query, status, request } = entry
  return { params, query, body: request.body as never, headers: { ...request.headers }, status }
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
    const differing = countDifferences(toReceived(entry), expected, equals)
    return { entry, distance: differing + (entry.operation === operation ? 0 : ANOTHER_OPERATION) }
  })
  return candidates.sort((a, b) => a.distance - b.distance || b.entry.id - a.entry.id).map(({ entry }) => entry)
}

/** How many of the expected values are not there, however deep they stand. */
function countDifferences(actual: unknown, expected: unknown, equals: Equals): number {
  if (equals(actual, expected)) return 0
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

/** An asymmetric matcher is an object too, but is compared as a whole. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
