import type { Contract } from '../../document/contract/contract.js'
import type { Operation } from '../../document/contract/operation.js'
import { ApiError, MockError } from '../../http/errors.js'
import { requireResponse } from '../../http/given-response.js'
import { toResponseHeaders } from '../../http/headers.js'
import type { HandlerResponse, ResponseDraft } from '../../http/messages.js'
import { codeOfStatus, findDeclaredStatus, WITHOUT_BODY } from '../../http/statuses.js'
import { andThen, type MaybePromise } from '../../lib/functions.js'
import { findResponseViolation } from './request-checks.js'

/** What a handler of the service's own returned. */
export interface OwnResponse {
  readonly response: unknown
  /** It is what the operation does without the handler. */
  readonly isStandard: boolean
}

/** What responses of the mock may have, and a handler may return with a change. */
const FIELDS = ['mediaType', 'encode', 'stream']

/** Checks what a handler of the service's own returned against the document, and turns it into a draft. */
export function checkOwnResponse(
  contract: Contract,
  operation: Operation,
  returned: unknown,
  serialize: (response: HandlerResponse) => MaybePromise<ResponseDraft>,
): MaybePromise<ResponseDraft> {
  const { id, responses } = operation
  const reject = (problem: string): never => {
    throw new MockError('CALLBACK_FAILED', `The handler of ${id} ${problem}`)
  }
  const { body, ...given } = requireResponse(returned, { fields: FIELDS, instead: 'standard()' }, reject)
  const { status } = given
  const headers = given.headers && toResponseHeaders(given.headers, reject)
  if (findDeclaredStatus(responses, status) === undefined) {
    const declared = Object.keys(responses).join(', ')
    return reject(`returned ${status}, which the OpenAPI document does not declare. Declared: ${declared}.`)
  }
  const hasContent = operation.shapeOf(status) !== undefined && !WITHOUT_BODY.includes(status)
  if (hasContent && status >= 400 && body === undefined) {
    const error = new ApiError(status, codeOfStatus(status), `The handler of ${id} returned ${status}.`, { headers })
    return contract.toErrorDraft(error, undefined, { operation })
  }
  if (!hasContent && body !== undefined && body !== null) {
    const why = WITHOUT_BODY.includes(status) ? 'HTTP forbids' : 'the OpenAPI document does not declare'
    return reject(`returned ${status} with a body, which ${why}. Return { status: ${status} }.`)
  }
  const response = { ...given, ...(headers && { headers }), ...(hasContent && { body }) } as HandlerResponse
  return andThen(serialize(response), (draft) => {
    const violation = draft.stream ? undefined : findResponseViolation({ operation, api: { contract } }, draft)
    if (violation === undefined) return draft
    if (body === undefined && draft.bytes === undefined)
      return reject(`returned ${status} without a body, which the OpenAPI document declares.`)
    throw new MockError('CALLBACK_FAILED', `The handler of ${violation}`)
  })
}
