import type { KeyNames } from '../../document/validate/security.js'
import type { DocumentedService } from '../../engine/admin/documents.js'
import type { DocumentPaths } from '../../engine/instance/document-paths.js'
import type { Mock } from '../../engine/mock/mock.js'
import type { AnyServiceTypes, ServiceTypes } from '../../engine/service.js'
import type { Outcome, PlainRequest } from '../../http/messages.js'
import type { McpEndpoint, ServedMock } from '../../mcp/served-mock.js'
import { createPages, type Pages } from './pages.js'

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

/** What a server has for the requests to one service. */
export interface Served {
  /** Missing if the server has only one service. */
  readonly name: string | undefined
  /** What the paths of its requests start with: `/shop`; empty if the server has only one service. */
  readonly path: string
  readonly title: string
  readonly mock: Pick<Mock<AnyServiceTypes>, 'handle' | 'options'>
  /** The names of the API keys that its document declares, which are secrets. */
  readonly keyNames: KeyNames
  readonly pages: Pages
  readonly mcp: Mcp
  /** Makes `check` throw this error. */
  readonly reportError: (error: unknown) => void
}

/** A mock, and what is needed to serve it. */
export interface CreatedMock extends Pick<Served, 'reportError'> {
  /** Missing if it is the only one. */
  readonly name?: string
  readonly service: DocumentedService
  readonly mock: Pick<Mock<ServiceTypes>, 'ready' | 'check'> & ServedMock
  readonly documentPaths: DocumentPaths
  importAdmin(): Promise<unknown>
  /** Removes its sandboxes, and ends its event streams. */
  end(): void
}

export function toServed(
  { name, service, mock, documentPaths, reportError }: CreatedMock,
  closing: AbortSignal,
): Served {
  return {
    name,
    path: name === undefined ? '' : `/${name}`,
    title: service.title,
    mock: mock as CreatedMock['mock'] & Served['mock'],
    keyNames: service.contract.keyNames,
    pages: createPages(documentPaths),
    mcp: createMcp(service, mock, closing),
    reportError,
  }
}
