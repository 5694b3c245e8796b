import type { Contract } from '../../document/contract/contract.js'
import { ApiError, describeUnknown, MockError } from '../../http/errors.js'
import { requireResponse } from '../../http/given-response.js'
import { retryAfter, toResponseHeaders } from '../../http/headers.js'
import type { ResponseDraft } from '../../http/messages.js'
import { codeOfStatus, findDeclaredStatus, WITHOUT_BODY } from '../../http/statuses.js'
import { stringifyJson } from '../../lib/json.js'
import { isBytes, isPlainObject } from '../../lib/values.js'
import type { OverrideOptions } from './override.js'

/** Checks the response of an override, whichever way it was given, and turns it into a draft. */
export function checkResponse(
  operation: string,
  response: unknown,
  contract: Contract,
  { raw = false, unchecked = false }: Pick<OverrideOptions, 'raw' | 'unchecked'>,
): ResponseDraft {
  const reject = (problem: string) => fail(misuse(operation, problem))
  const { status, headers, body: given } = requireResponse(response, { instead: 'next()' }, reject)
  const declared = contract.operationById(operation)
  const isUndeclaredError = status >= 400 && declared && findDeclaredStatus(declared.responses, status) === undefined
  const isUnchecked = raw || unchecked || isUndeclaredError
  const isError = given === undefined && status >= 400 && !raw
  const written = isError ? writeError(operation, status, contract) : raw ? writeRaw(given) : writeJson(given)
  if (isUnchecked && written !== undefined && WITHOUT_BODY.includes(status)) {
    throw misuse(operation, `must return no body with ${status}.`)
  }
  const violation =
    declared && !isUnchecked ? contract.findResponseViolation(declared, status, written?.body) : undefined
  if (violation !== undefined) {
    const hint = 'If that is what you want, add unchecked: true.'
    throw new MockError('INVALID_OVERRIDE', `The override of ${violation.replace(/\.?$/, '.')} ${hint}`)
  }
  const code = isError ? codeOfStatus(status) : status >= 400 ? codeIn(given) : undefined
  return {
    ...written,
    status,
    headers: {
      ...retryAfter(status),
      ...written?.headers,
      ...toResponseHeaders(headers ?? {}, reject, raw),
    },
    ...(isUnchecked && { isUnchecked }),
    ...(code !== undefined && { trace: { code } }),
  }
}

type WrittenBody = Pick<ResponseDraft, 'body' | 'bytes' | 'mediaType' | 'headers'> | undefined

const codeIn = (body: unknown) => (isPlainObject(body) && typeof body.code === 'string' ? body.code : undefined)

function writeError(operation: string, status: number, contract: Contract): WrittenBody {
  const error = new ApiError(status, codeOfStatus(status), `An override makes ${operation} return ${status}.`)
  const {
    status: _,
    trace: __,
    isUnchecked: ___,
    ...written
  } = contract.toErrorDraft(error, undefined, {
    operation: contract.operationById(operation),
  })
  return written
}

function writeJson(body: unknown): WrittenBody {
  // No response of the document is null, so null means no body.
  const text = body === null ? undefined : stringifyJson(body)
  return text === undefined ? undefined : { body: text, mediaType: 'application/json' }
}

/** The media type is a default, which the headers can replace. */
function writeRaw(body: unknown): WrittenBody {
  if (typeof body === 'string') return { body, mediaType: 'text/plain;charset=utf-8' }
  return isBytes(body) ? { bytes: body, mediaType: 'application/octet-stream' } : writeJson(body)
}

function fail(error: MockError): never {
  throw error
}

/** A typo must not go unnoticed. */
export function rejectUnknown(operation: string, kind: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw misuse(operation, `is invalid. ${describeUnknown(kind, unknown, known)}`)
}

/** `problem` is a sentence without its subject. */
export function misuse(operation: string, problem: string): MockError {
  return new MockError('INVALID_OVERRIDE', `The override of ${operation} ${problem}`)
}
