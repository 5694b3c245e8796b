import type { BodyOf, PathOf, QueryOf } from '../../document/schema/types.js'
import type { operations } from '../../generated/engine/admin/admin-types.js'
import type { HandleOptions, HandlerResponse } from '../../http/messages.js'
import { runInTurn } from '../../lib/functions.js'
import type { Steps } from '../../lib/steps.js'
import type { AdminTarget } from '../instance/admin-api.js'

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

/** A large response. It is made when its turn has come, unless its client is gone by then. */
export function toExport(
  handleOptions: HandleOptions | undefined,
  encode: (write: (part: object) => string) => Steps<Uint8Array>,
): HandlerResponse {
  return {
    status: 200,
    async encode(write) {
      await handleOptions?.takeTurn?.()
      return runInTurn<Uint8Array | undefined>(function* () {
        return handleOptions?.signal.aborted ? undefined : yield* encode(write)
      })
    },
  }
}
