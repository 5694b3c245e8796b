import type { Sandboxes } from '../engine/control/sandboxes.js'
import type { Outcome, PlainRequest } from '../http/messages.js'

// Apart from what speaks the protocol, because the types of the server lead here, and users do not have the SDK.

/** The mock that a server serves, called without a connection. */
export interface ServedMock {
  fetch(path: string, init: RequestInit): Promise<Response>
  readonly sandboxes: Pick<Sandboxes<unknown>, 'has' | 'open' | 'delete'>
}

export type McpEndpoint = (request: PlainRequest) => Promise<Outcome>
