import { stringifyJson } from '../lib/json.js'
import { isKind } from '../lib/kind.js'
import { isPlainObject } from '../lib/plain-object.js'
import type { Journal, OperationId } from '../petstore/types.js'
import { type MatcherState, petstoreMatchers } from './matchers.js'
import type { ExpectedRequest } from './received.js'

export { type PetstoreMatchers, petstoreMatchers } from './matchers.js'
export type { ExpectedRequest } from './received.js'

/** A mock, or a sandbox of one, in this process. */
interface WithJournal {
  readonly journal: Journal
}

/** Thrown by the assertion functions. Test runners show it as a failed assertion. */
export class PetstoreAssertionError extends Error {
  override readonly name = 'AssertionError'
  readonly code = 'ERR_ASSERTION'
}

/**
 * Throws unless the mock received a request of this operation that matches. Objects match if they have the expected
 * properties, and texts if they match an expected regular expression. For test runners without `expect.extend`.
 */
export function assertReceived<O extends OperationId>(
  petstore: WithJournal,
  operation: O,
  expected?: ExpectedRequest<O>,
): void {
  throwUnlessPassed(petstoreMatchers.toHaveReceived.call(STATE, petstore, operation, expected))
}

/** Throws unless the mock received exactly this many requests of the operation that match. */
export function assertReceivedTimes<O extends OperationId>(
  petstore: WithJournal,
  operation: O,
  times: number,
  expected?: ExpectedRequest<O>,
): void {
  throwUnlessPassed(petstoreMatchers.toHaveReceivedTimes.call(STATE, petstore, operation, times, expected))
}

/** Throws unless every request that the mock received conforms to the OpenAPI document. */
export function assertNoContractViolations(petstore: WithJournal): void {
  throwUnlessPassed(petstoreMatchers.toHaveNoContractViolations.call(STATE, petstore))
}

function throwUnlessPassed({ pass, message }: { pass: boolean; message: () => string }): void {
  if (!pass) throw new PetstoreAssertionError(message())
}

const toText = (value: unknown) => stringifyJson(value) ?? String(value)

/** Replaces the state that a test runner passes to its matchers. */
const STATE: MatcherState = {
  equals: matches,
  utils: {
    stringify: toText,
    diff: (expected, actual) => `- Expected: ${toText(expected)}\n+ Received: ${toText(actual)}`,
  },
}

function matches(actual: unknown, expected: unknown): boolean {
  if (isKind(expected, 'RegExp')) return typeof actual === 'string' && expected.test(actual)
  if (Array.isArray(expected)) {
    const isSameLength = Array.isArray(actual) && actual.length === expected.length
    return isSameLength && expected.every((item, index) => matches(actual[index], item))
  }
  if (isPlainObject(expected)) {
    return isPlainObject(actual) && Object.entries(expected).every(([name, value]) => matches(actual[name], value))
  }
  const isInteger = typeof expected === 'bigint' || Number.isInteger(expected)
  if (isInteger && typeof actual === 'bigint') return actual === BigInt(expected as bigint)
  if (typeof expected === 'bigint' && Number.isInteger(actual)) return BigInt(actual as number) === expected
  return Object.is(actual, expected)
}
