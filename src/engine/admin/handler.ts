import type { Answer } from '../../petstore/operations/operation.js'
import type { AdminOperationId, BodyOf, PathOf, QueryOf } from '../contract/types.js'
import type { Mock } from '../control/mock.js'

/** A request that keeps to the control plane's document, and the mock it is about. */
export interface AdminCall<O extends AdminOperationId> {
  readonly path: PathOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
  readonly mock: Mock
}

export type AdminHandler<O extends AdminOperationId> = (call: AdminCall<O>) => Answer<O> | Promise<Answer<O>>

/** Some of the control plane's operations, by operationId. */
export type AdminHandlers<O extends AdminOperationId> = { readonly [Each in O]: AdminHandler<Each> }

/** Done, and nothing to tell. */
export const DONE = { status: 204 } as const
