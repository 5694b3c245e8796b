import type { Outcome, PlainRequest } from '../../engine/contract/messages.js'
import { once } from '../../lib/once.js'
import type { ServedMock } from '../../mcp/endpoint.js'

const PATH = '/__admin/mcp'

/** Handles the requests of clients that speak the Model Context Protocol. Returns undefined for all others. */
export type Mcp = (request: PlainRequest) => Promise<Outcome> | undefined

/** What speaks the protocol is loaded at the first request. */
export function createMcp(mock: ServedMock, closing: AbortSignal): Mcp {
  const load = once(async () => {
    const { createMcpEndpoint } = await import('../../mcp/endpoint.js')
    return createMcpEndpoint(mock, closing)
  })
  return (request) => (request.path === PATH ? load().then((endpoint) => endpoint(request)) : undefined)
}
