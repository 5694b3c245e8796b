import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { namesSandbox } from '../../engine/address.js'
import type { PlainRequest } from '../../engine/contract/messages.js'
import { joinSandboxNames, SANDBOX_HEADER } from '../../engine/sandbox-headers.js'

/** Node reports every request here that an HTTP server receives, before the server's own listeners run. */
const CHANNEL = 'http.server.request.start'

/** Knows the sandbox that is named by the incoming request which the running code handles. */
export function createSandboxFollower() {
  const sandboxes = new AsyncLocalStorage<string | undefined>()

  function enter(message: unknown): void {
    const { request } = message as { request: IncomingMessage }
    const sandbox = joinSandboxNames(request.headers)
    // Also without a name: the last request on the connection may have had one.
    sandboxes.enterWith(sandbox)
    if (sandbox === undefined) return
    // Since Node 24 the events of the body are emitted outside the context of the request.
    const emit = request.emit.bind(request)
    request.emit = (...event: Parameters<typeof emit>) => sandboxes.run(sandbox, () => emit(...event))
  }

  return {
    /** Can be called more than once. */
    start() {
      unsubscribe(CHANNEL, enter)
      subscribe(CHANNEL, enter)
    },
    stop: () => void unsubscribe(CHANNEL, enter),
    /** The request, in the sandbox of the incoming one unless it names one itself. */
    follow(request: PlainRequest): PlainRequest {
      const sandbox = sandboxes.getStore()
      if (sandbox === undefined || namesSandbox(request)) return request
      return { ...request, headers: { ...request.headers, [SANDBOX_HEADER.toLowerCase()]: sandbox } }
    },
  }
}
