import { PLAIN_STATE } from './matcher-state.js'
import { type OperationIn, type OperationsIn, petstoreMatchers, type WithJournal } from './matchers.js'
import type { ExpectedRequestFor } from './received.js'

export { type PetstoreMatchers, petstoreMatchers } from './matchers.js'
export type { ExpectedRequest, ExpectedRequestFor } from './received.js'

/** Thrown by the assertion functions. Test runners show it as a failed assertion. */
export class PetstoreAssertionError extends Error {
  override readonly name = 'AssertionError'
  readonly code = 'ERR_ASSERTION'
}

/**
 * Throws unless the mock received a request of this operation that matches. Objects match if they have the expected
 * properties, and texts if they match an expected regular expression. For test runners without `expect.extend`.
 */
export function assertReceived<Mock extends WithJournal, O extends OperationIn<Mock>>(
  mock: Mock,
  operation: O,
  expected?: ExpectedRequestFor<OperationsIn<Mock>[O]>,
): void {
  throwUnlessPassed(petstoreMatchers.toHaveReceived.call(PLAIN_STATE, mock, operation, expected))
}

/** Throws unless the mock received exactly this many requests of the operation that match. */
export function assertReceivedTimes<Mock extends WithJournal, O extends OperationIn<Mock>>(
  mock: Mock,
  operation: O,
  times: number,
  expected?: ExpectedRequestFor<OperationsIn<Mock>[O]>,
): void {
  throwUnlessPassed(petstoreMatchers.toHaveReceivedTimes.call(PLAIN_STATE, mock, operation, times, expected))
}

/** Throws unless every request that the mock received conforms to the OpenAPI document. */
export function assertNoContractViolations(mock: WithJournal): void {
  throwUnlessPassed(petstoreMatchers.toHaveNoContractViolations.call(PLAIN_STATE, mock))
}

function throwUnlessPassed({ pass, message }: { pass: boolean; message: () => string }): void {
  if (!pass) throw new PetstoreAssertionError(message())
}
