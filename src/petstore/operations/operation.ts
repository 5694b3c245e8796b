import type { StoredBodyOf } from '../../engine/contract/types.js'
import type { HandlerContext, HandlerResponse } from '../../engine/service.js'
import type { operations } from '../generated/openapi-types.js'
import type { BodyOf, OperationId, PathOf, PetstoreTypes, QueryOf } from '../types.js'

/** A valid request, and the store it reads and changes. */
export interface Context<O extends OperationId> extends HandlerContext<PetstoreTypes> {
  readonly path: PathOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
}

/** Implements one operation. Throws an ApiError to reject the request, before it has changed anything. */
export type Handler<O extends OperationId> = (context: Context<O>) => HandlerResponse<StoredBodyOf<operations[O]>>
