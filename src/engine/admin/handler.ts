import type { Answer } from '../../petstore/operations/operation.js'
import type { BodyOf, ControlOperationId, PathOf, QueryOf } from '../contract/types.js'
import type { Mock } from '../control/mock.js'

/** A request that keeps to the control plane's document, and the mock it is about. */
export interface ControlCall<O extends ControlOperationId> {
  readonly path: PathOf<O>
  readonly query: QueryOf<O>
  readonly body: BodyOf<O>
  readonly mock: Mock
}

export type ControlHandler<O extends ControlOperationId> = (call: ControlCall<O>) => Answer<O> | Promise<Answer<O>>

/** Some of the control plane's operations, by operationId. */
export type ControlHandlers<O extends ControlOperationId> = { readonly [Each in O]: ControlHandler<Each> }

/** Done, and nothing to tell. */
export const DONE = { status: 204 } as const
