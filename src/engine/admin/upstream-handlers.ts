import { apiError } from '../contract/errors.js'
import type { AdminHandlers } from './handler.js'
import type { AdminTarget } from './target.js'

/** What is passed through to the real service. */
export const upstreamHandlers = {
  getUpstream: ({ target }) => ({ status: 200, body: stateOf(target) }),
  setUpstream({ target, body: { pass = [], mock = [] } }) {
    const { upstream } = target.instance
    if (upstream === undefined) {
      const message = 'The mock has no upstream. Start it with --upstream, or with the option upstream.'
      throw apiError('NO_UPSTREAM', message)
    }
    upstream.change({ pass, mock })
    return { status: 200, body: stateOf(target) }
  },
} satisfies Partial<AdminHandlers>

function stateOf({ instance: { upstream } }: AdminTarget) {
  return upstream ? { url: upstream.url, passed: upstream.passed } : { passed: [] }
}
