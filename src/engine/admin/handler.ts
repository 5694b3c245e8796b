import type { HandleOptions } from '../contract/messages.js'
import type { BodyOf, PathOf, QueryOf } from '../contract/types.js'
import type { HandlerResponse } from '../service.js'
import type { operations } from './generated/admin-types.js'
import type { AdminTarget } from './target.js'

/** A valid request to the admin API, and the instance it controls. */
export interface AdminContext<O extends keyof operations> {
  readonly path: PathOf<operations[O]>
  readonly query: QueryOf<operations[O]>
  readonly body: BodyOf<operations[O]>
  readonly target: AdminTarget
  readonly handleOptions: HandleOptions | undefined
}

export type AdminHandlers = {
  readonly [O in keyof operations]: (context: AdminContext<O>) => HandlerResponse | Promise<HandlerResponse>
}

export const NO_CONTENT = { status: 204 } as const
