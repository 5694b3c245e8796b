import { stringifyJson } from '../../lib/json.js'
import { nearestStatus } from './declared-status.js'
import type { ToErrorDraft } from './error-place.js'
import { ApiError } from './errors.js'
import { isJsonMediaType } from './media-type.js'
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
