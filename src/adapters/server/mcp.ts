import type { DocumentedService } from '../../engine/admin/documents.js'
import type { Outcome, PlainRequest } from '../../engine/contract/messages.js'
import type { McpEndpoint, ServedMock } from '../../mcp/served-mock.js'

const PATH = '/__admin/mcp'

/** Handles the requests of clients that speak the Model Context Protocol. Returns undefined for all others. */
export type Mcp = (request: PlainRequest) => Promise<Outcome> | undefined

/** What speaks the protocol is loaded at the first request. */
export function createMcp(service: DocumentedService, mock: ServedMock, closing: AbortSignal): Mcp {
  async function load(): Promise<McpEndpoint> {
    const { createMcpEndpoint, createServiceTools, describeService } = await import('../../mcp/endpoint.js')
    return createMcpEndpoint(mock, createServiceTools(await describeService(service)), closing)
  }
  let endpoint: Promise<McpEndpoint> | undefined
  return (request) => {
    if (request.path !== PATH) return undefined
    endpoint ??= load().catch((error: unknown) => {
      // The next request tries again.
      endpoint = undefined
      throw error
    })
    return endpoint.then((respond) => respond(request))
  }
}
