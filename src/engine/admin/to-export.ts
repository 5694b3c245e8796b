import { runInTurn } from '../../lib/run-in-turn.js'
import type { Steps } from '../../lib/steps.js'
import type { HandleOptions } from '../contract/messages.js'
import type { HandlerResponse } from '../service.js'

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
