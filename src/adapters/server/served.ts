import type { DocumentedService } from '../../engine/admin/documents.js'
import type { KeyNames } from '../../engine/contract/key-names.js'
import type { Mock } from '../../engine/mock.js'
import type { AnyServiceTypes, ServiceTypes } from '../../engine/service.js'
import type { ServedMock } from '../../mcp/served-mock.js'
import { createMcp, type Mcp } from './mcp.js'
import { createPages, type Pages } from './pages.js'

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
  importAdmin(): Promise<unknown>
  /** Removes its sandboxes, and ends its event streams. */
  end(): void
}

export function toServed({ name, service, mock, reportError }: CreatedMock, closing: AbortSignal): Served {
  return {
    name,
    path: name === undefined ? '' : `/${name}`,
    title: service.title,
    mock: mock as CreatedMock['mock'] & Served['mock'],
    keyNames: service.contract.keyNames,
    pages: createPages((service.document as { paths?: object | null }).paths ?? {}),
    mcp: createMcp(service, mock, closing),
    reportError,
  }
}
