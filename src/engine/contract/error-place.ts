import type { ApiError } from './errors.js'
import type { PlainRequest, ResponseDraft } from './messages.js'
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
