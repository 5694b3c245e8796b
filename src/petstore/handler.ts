import type { OwnContext, OwnHandler } from '../engine/own-handler.js'
import type { ResolvedOptions } from './options.js'
import type { PetstoreCollections } from './records.js'
import type { BodyOf, OperationId } from './types.js'

/** A valid request, and the store it reads and changes. */
export interface Context<O extends OperationId, R> extends Pick<OwnContext<R>, 'record' | 'at'> {
  readonly store: PetstoreCollections
  readonly options: ResolvedOptions
  readonly body: BodyOf<O>
}

/** Implements one operation. Throws an ApiError to reject the request, before it has changed anything. */
export type Handler<O extends OperationId, R> = OwnHandler<Context<O, R>, R>
