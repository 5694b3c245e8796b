import type { BodyOf, PathOf, QueryOf } from '../contract/types.js'
import type { HandlerResponse } from '../service.js'
import type { operations } from './generated/admin-types.js'
import type { AdminTarget } from './target.js'

export type AdminOperationId = keyof operations

/** A valid request to the admin API, and the instance it controls. */
export interface AdminContext<O extends AdminOperationId> {
  readonly path: PathOf<operations[O]>
  readonly query: QueryOf<operations[O]>
  readonly body: BodyOf<operations[O]>
  readonly target: AdminTarget
}

export type AdminHandler<O extends AdminOperationId> = (
  context: AdminContext<O>,
) => HandlerResponse | Promise<HandlerResponse>

/** Some handlers of the admin API, by operationId. */
export type AdminHandlers<O extends AdminOperationId> = { readonly [Each in O]: AdminHandler<Each> }

export const NO_CONTENT = { status: 204 } as const
