import { stringifyJson } from '../../lib/json.js'
import { nearestStatus } from './declared-status.js'
import { ApiError } from './errors.js'
import { isJsonMediaType } from './media-type.js'
import type { ResponseDraft } from './messages.js'
import type { Operation } from './operation.js'
import { toErrorDraft } from './render.js'
import type { Schema } from './schema.js'

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

/** The response for an error. `violations` say how the request violated the contract, when it is rejected for that. */
export type ToErrorDraft = (error: ApiError, violations?: readonly string[], operation?: Operation) => ResponseDraft

/** Writes errors as a service does. Without a shape, their bodies are `{ code, message, status }`. */
export function shapeErrors(shape: ErrorShape | undefined): ToErrorDraft {
  if (shape === undefined) return toErrorDraft
  return (error, violations, operation) => {
    const { mediaType, body: _, ...draft } = toErrorDraft(error, violations)
    const { code, message, status } = error
    const declared = declaredShape(operation, status)
    const body = stringifyJson(shape({ code, message, status, operation: operation?.id, schema: declared?.schema }))
    return body === undefined ? draft : { ...draft, body, mediaType: declared?.mediaType ?? 'application/json' }
  }
}

/**
 * The same for a document that may not declare all statuses of the engine's errors, or not with a body of this shape: such a
 * response is better than none.
 */
export function uncheckErrors(toDraft: ToErrorDraft): ToErrorDraft {
  return (error, violations, operation) => ({ ...toDraft(error, violations, operation), isUnchecked: true })
}

/** The error with the nearest status that the document declares. */
export function withDeclaredStatus(error: ApiError, { responses }: Operation): ApiError {
  const { code, message, headers, violations } = error
  const status = nearestStatus(responses, error.status)
  return status === error.status ? error : new ApiError(status, code, message, { headers, violations })
}

function declaredShape(operation: Operation | undefined, status: number) {
  const declared = operation?.shapeOf(status)
  return declared && isJsonMediaType(declared.mediaType) ? declared : undefined
}
