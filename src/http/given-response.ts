import { describeValue } from '../lib/functions.js'
import { isKind } from '../lib/values.js'
import { describeUnknown } from './errors.js'

/** A response as a function of the user returns it. */
export interface GivenResponse {
  readonly status: number
  readonly body?: unknown
  readonly headers?: object
}

/**
 * Checks what a function of the user returned. `instead` is what it could have returned as well. `fail` is called with the
 * first problem, a sentence without its subject, and must throw.
 */
export function requireResponse(
  response: unknown,
  { fields = [], instead }: { readonly fields?: readonly string[]; readonly instead: string },
  fail: (problem: string) => never,
): GivenResponse {
  if (typeof response !== 'object' || response === null || isKind(response, 'Response')) {
    return fail(`must return { status, body } or ${instead}. Received: ${describeValue(response)}.`)
  }
  const known = ['status', 'body', 'headers', ...fields]
  // A typo must not go unnoticed.
  const unknown = Object.keys(response).find((name) => !known.includes(name))
  if (unknown !== undefined) return fail(`is invalid. ${describeUnknown('field', unknown, known)}`)
  const { status } = response as GivenResponse
  if (Number.isInteger(status) && status >= 200 && status <= 599) return response as GivenResponse
  return fail(`must return a status from 200 to 599. Received: ${describeValue(status)}.`)
}
