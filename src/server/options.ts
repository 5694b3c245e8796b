import { isIPv6 } from 'node:net'
import { MockError } from '../contract/errors.js'
import type { PetstoreOptions } from '../options.js'

/** One answered request, as it is told to `onRequest`. */
export interface RequestRecord {
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  readonly operation: string | undefined
  readonly status: number
  readonly durationMs: number
  /** Why the mock itself failed, where it did. */
  readonly failure: unknown
}

export interface ServerOptions extends PetstoreOptions {
  /** 0 picks a free one. Default: 4010. */
  port?: number
  /** The address to bind. Beyond loopback the control plane asks for a token. Default: `127.0.0.1`. */
  host?: string
  /** Origins, besides those on loopback, whose pages may read the API. Default: none. */
  cors?: readonly string[]
  /** Host names, besides loopback's and `host`, that the server answers for. Default: none. */
  allowHost?: readonly string[]
  /** What the control plane asks for. Default: nothing on loopback, a random one beyond it. */
  adminToken?: string
  /** Called after every answer. Default: nothing. */
  onRequest?: (record: RequestRecord) => void
}

interface ServerSettings {
  readonly port: number
  readonly host: string
  readonly cors: readonly string[]
  readonly allowHost: readonly string[]
  readonly adminToken: string | undefined
  readonly onRequest: ((record: RequestRecord) => void) | undefined
}

export const SERVER_DEFAULTS: ServerSettings = {
  port: 4010,
  host: '127.0.0.1',
  cors: [],
  allowHost: [],
  adminToken: undefined,
  onRequest: undefined,
}

export function resolveServerOptions(options: ServerOptions): { server: ServerSettings; petstore: PetstoreOptions } {
  const { port, host, cors, allowHost, adminToken, onRequest, ...petstore } = options
  const server = {
    port: port ?? SERVER_DEFAULTS.port,
    host: host ?? SERVER_DEFAULTS.host,
    cors: cors ?? SERVER_DEFAULTS.cors,
    allowHost: allowHost ?? SERVER_DEFAULTS.allowHost,
    adminToken,
    onRequest,
  }
  if (!Number.isInteger(server.port) || server.port < 0 || server.port > 65535) {
    throw invalid('port must be a whole number from 0 to 65535', server.port)
  }
  if (server.host === '') throw invalid('host must be an address', server.host)
  if (server.adminToken === '') throw invalid('adminToken must not be empty', server.adminToken)
  for (const origin of server.cors) checkOrigin(origin)
  for (const name of server.allowHost) checkHostName(name)
  return { server, petstore }
}

function checkOrigin(origin: string): void {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return
  throw invalid('cors takes origins such as https://app.example', origin)
}

function checkHostName(name: string): void {
  if (/^[a-z0-9._-]+$/i.test(name) || isIPv6(name.replaceAll(/^\[|\]$/g, ''))) return
  throw invalid('allowHost takes host names such as mock.test, without a port', name)
}

function invalid(expectation: string, value: unknown): MockError {
  return new MockError('INVALID_OPTION', `the option ${expectation}, but got ${JSON.stringify(value)}`)
}
