import { version } from '../../generated/lib/version.js'
import { ApiError, apiError, MockError } from '../../http/errors.js'
import type { Outcome, PlainRequest, PlainResponse, ResponseDraft } from '../../http/messages.js'
import { nearestStatus } from '../../http/statuses.js'
import { stringifyJson, stringifyText } from '../../lib/json.js'
import { utf8Length } from '../../lib/text.js'
import { setMember } from '../../lib/values.js'
import { isJsonMediaType } from '../schema/media-type.js'
import type { Schema } from '../schema/schema.js'
import type { Operation } from './operation.js'

/** What an error is the response to. */
export interface ErrorPlace {
  readonly operation?: Operation | undefined
  readonly request?: PlainRequest | undefined
  /** When the request arrived, by the mock's clock. */
  readonly at?: number | undefined
}

/** The response for an error. `violations` say how the request violated the contract, when it is rejected for that. */
export type ToErrorDraft = (error: ApiError, violations?: readonly string[], place?: ErrorPlace) => ResponseDraft

/** `violations` say how the request violated the contract, when it is rejected for that. */
export function toErrorDraft(
  { code, message, status, headers }: ApiError,
  violations?: readonly string[],
): ResponseDraft {
  return {
    status,
    headers,
    body: `{"code":${stringifyText(code)},"message":${stringifyText(message)},"status":${status}}`,
    mediaType: 'application/json',
    trace: violations === undefined ? { code } : { code, violations },
  }
}

/** The draft when the mock failed. Unless it was misused, that is a bug, whose details stay out of the response. */
export function toFailureDraft(
  failure: unknown,
  place: ErrorPlace,
  toDraft: ToErrorDraft = toErrorDraft,
): ResponseDraft {
  const { operation } = place
  const misuse = failure instanceof MockError ? failure : undefined
  const message =
    misuse?.message ?? `The mock failed${operation ? ` in ${operation.id}` : ''}. This is a bug in the mock.`
  const draft = toDraft(apiError('INTERNAL_ERROR', message), undefined, place)
  return { ...draft, trace: { ...draft.trace, ...(misuse ? { misuse } : { failure }) } }
}

/** The response to a request that is rejected before it reaches the pipeline. */
export function toErrorOutcome(error: ApiError, method = ''): Outcome {
  return withoutOperation(toErrorDraft(error), method)
}

export function toFailureOutcome(failure: unknown, method: string): Outcome {
  return withoutOperation(toFailureDraft(failure, {}), method)
}

function withoutOperation(draft: ResponseDraft, method: string): Outcome {
  return { response: render({ method, base: '' }, undefined, draft), trace: draft.trace ?? {} }
}

/** Adds the headers that every response, and every response of the operation, has. */
export function render(
  request: Pick<PlainRequest, 'method' | 'base'>,
  operation: Operation | undefined,
  draft: ResponseDraft,
): PlainResponse {
  const { status, body, bytes, stream } = draft
  const headers = draft.isComplete ? { ...draft.headers } : headersOf(request.base, operation, draft)
  if (request.method === 'HEAD') return { status, headers }
  if (stream !== undefined) return { status, headers, stream }
  if (bytes !== undefined) return { status, headers, bytes }
  return body === undefined ? { status, headers } : { status, headers, body }
}

/** Header by header: spreading objects here takes longer than most operations. */
function headersOf(base: string, operation: Operation | undefined, draft: ResponseDraft): Record<string, string> {
  const { body, bytes, mediaType, headers: given } = draft
  const headers: Record<string, string> = {}
  if (mediaType !== undefined) headers['Content-Type'] = mediaType
  if (body !== undefined) headers['Content-Length'] = String(utf8Length(body))
  if (bytes !== undefined) headers['Content-Length'] = String(bytes.length)
  headers['X-Petstore-Mock'] = version
  const lifecycle = operation?.headers(base)
  for (const name in lifecycle) headers[name] = lifecycle[name] as string
  for (const name in given) setMember(headers, name, given[name] as string)
  if (given?.Link !== undefined && lifecycle?.Link !== undefined) headers.Link = `${given.Link}, ${lifecycle.Link}`
  return headers
}

/** What the body of an error response is made from. */
export interface ErrorFacts {
  readonly code: string
  readonly message: string
  readonly status: number
  /** The operationId, if the request is for an operation. */
  readonly operation?: string | undefined
  /** The schema that the document has for the body, if it has one. */
  readonly schema?: Schema | undefined
}

/** Makes the body of an error response, as a service sends it; undefined for none. */
export type ErrorShape = (error: ErrorFacts) => unknown

/** Writes errors as a service does. */
export function shapeErrors(shape: ErrorShape): ToErrorDraft {
  return (error, violations, { operation } = {}) => {
    const { mediaType, body: _, ...draft } = toErrorDraft(error, violations)
    const { code, message, status } = error
    const declared = declaredShape(operation, status)
    const body = stringifyJson(shape({ code, message, status, operation: operation?.id, schema: declared?.schema }))
    return body === undefined ? draft : { ...draft, body, mediaType: declared?.mediaType ?? 'application/json' }
  }
}

/** The error with the nearest status that the document declares, unless a service has chosen one. */
export function withDeclaredStatus(error: ApiError, { responses }: Operation): ApiError {
  const status = error.isExact ? error.status : nearestStatus(responses, error.status)
  return status === error.status ? error : new ApiError(status, error.code, error.message, error)
}

function declaredShape(operation: Operation | undefined, status: number) {
  const declared = operation?.shapeOf(status)
  return declared && isJsonMediaType(declared.mediaType) ? declared : undefined
}
