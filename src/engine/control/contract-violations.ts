import { MockError } from '../../http/errors.js'
import type { Outcome, PlainRequest } from '../../http/messages.js'
import { joinSentences } from '../../lib/text.js'

/** A server may run for days without a `check`. */
const MAX_ERRORS = 1000

/** Collects the requests that violate the contract, if `failOn` forbids them. */
export function createContractViolations(isForbidden: boolean) {
  let errors: MockError[] = []

  return {
    record({ method, path }: PlainRequest, { response, trace: { violations, upstream } }: Outcome): void {
      if (!isForbidden || violations === undefined || errors.length >= MAX_ERRORS) return
      const message =
        `${method} ${path} was ${upstream ? 'passed through' : `rejected with ${response.status}`}: ${joinSentences(violations)} The option failOn forbids ` +
        'requests that violate the OpenAPI document. If the test expects it, call journal.clear() at its end.'
      errors.push(new MockError('CONTRACT_VIOLATION', message))
    },
    takeErrors(): MockError[] {
      const taken = errors
      errors = []
      return taken
    },
  }
}
