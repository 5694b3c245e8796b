import type { BodyOf, PathOf, QueryOf } from '../../document/schema/types.js'
import { type JournalEntry, sentHeadersOf, sentQueryOf } from '../../engine/log/journal-entry.js'
import { invalidOption, MockError } from '../../http/errors.js'
import { quote } from '../../lib/text.js'
import { isKind, isPlainObject } from '../../lib/values.js'
import type { operations } from '../../petstore/public-types.js'
import type { OperationId } from '../../petstore/types.js'
import { type Equals, isAsymmetric } from './matcher-state.js'

/**
 * A request that a test expects. Omitted properties match anything; a regular expression may be used for a text, and
 * asymmetric matchers anywhere. `Matcher` is their type in runners whose asymmetric matchers are not `any`.
 */
export type ExpectedRequest<O extends OperationId, Matcher = never> = ExpectedRequestFor<operations[O], Matcher>

/** The same for an operation of any service. */
export interface ExpectedRequestFor<D, Matcher = never> {
  params?: Some<PathOf<D>, Matcher>
  query?: Some<QueryOf<D>, Matcher>
  body?: DeepPartial<BodyOf<D>, Matcher>
  headers?: Headers | Record<string, string | RegExp | Matcher>
  /** The status of its response. A request whose response is pending does not match. */
  status?: number
}

/** Allows no property for an operation without parameters. */
type Some<T, Matcher> = keyof T extends never ? Record<string, never> : DeepPartial<T, Matcher>

/** `Matcher` is not allowed in place of an object: it may have any property, so a misspelled one would be accepted. */
type DeepPartial<T, Matcher> = T extends readonly (infer Item)[]
  ? readonly DeepPartial<Item, Matcher>[] | Matcher
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K], Matcher> }
    : T | (T extends string ? RegExp : never) | Matcher

/** For messages: with secrets hidden. */
export function toShown({ params, query, status, pending, request }: JournalEntry) {
  return { params, query, body: request.body, headers: request.headers, status: pending ? undefined : status }
}

/** For comparison: a test may expect that its token was sent. */
function toSent(entry: JournalEntry) {
  return { ...toShown(entry), query: sentQueryOf(entry), headers: sentHeadersOf(entry) }
}

const PROPERTIES = ['params', 'query', 'body', 'headers', 'status']

/** Rejects what would match anything, and writes header names in lower case. */
export function resolveExpected(expected: object): ResolvedRequest {
  if (!isKind(expected, 'Object')) throw invalidOption('expected', 'an object', expected)
  const unknown = Object.keys(expected).find((name) => !PROPERTIES.includes(name))
  if (unknown !== undefined) {
    throw new MockError(
      'INVALID_OPTION',
      `Unknown property ${quote(unknown)} of an expected request. Available: ${PROPERTIES.join(', ')}.`,
    )
  }
  const { headers, ...others } = expected
  for (const name of ['params', 'query']) rejectUnlessObject(name, others[name])
  if (headers === undefined || isAsymmetric(headers)) return expected as ResolvedRequest
  const record = isKind(headers, 'Headers') ? Object.fromEntries(headers) : headers
  rejectUnlessObject('headers', record)
  const pairs = Object.entries(record as object).map(([name, value]) => [name.toLowerCase(), value])
  return { ...others, headers: Object.fromEntries(pairs) }
}

interface ResolvedRequest {
  readonly headers?: object
}

function rejectUnlessObject(name: string, value: unknown): void {
  if (value !== undefined && !isKind(value, 'Object')) throw invalidOption(name, 'an object', value)
}

export function isReceived(entry: JournalEntry, operation: string, expected: object, equals: Equals): boolean {
  return entry.operation === operation && equals(toSent(entry), expected)
}

/** More than any request of the same operation can have. */
const OTHER_OPERATION = 1_000_000

/** Sorts requests by how many expected values they lack, and equally close ones newest first. */
export function sortByCloseness(
  entries: readonly JournalEntry[],
  operation: string,
  expected: object,
  equals: Equals,
): JournalEntry[] {
  return entries
    .map((entry) => {
      const differences = countDifferences(toSent(entry), expected, equals)
      return { entry, distance: differences + (entry.operation === operation ? 0 : OTHER_OPERATION) }
    })
    .sort((a, b) => a.distance - b.distance || b.entry.id - a.entry.id)
    .map(({ entry }) => entry)
}

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

/** Keeps only the properties that are expected, so that a diff shows nothing else. */
export function pickExpected(actual: unknown, expected: unknown): unknown {
  if (!isPlainObject(actual) || !isPlainObject(expected)) return actual
  return Object.fromEntries(
    Object.keys(expected)
      .filter((name) => name in actual)
      .map((name) => [name, pickExpected(actual[name], expected[name])]),
  )
}
