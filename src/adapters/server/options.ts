import type { ServiceEntry } from '../../engine/mock/create-mocks.js'
import type { AnyService, MockOptions } from '../../engine/mock/define-service.js'
import type { ServiceOptions } from '../../engine/mock/service-options.js'
import {
  applyOptions,
  BOOLEAN,
  defaultsOf,
  isCountFrom,
  isOptionalFunction,
  type OptionRows,
  type Resolved,
  rejectUnknown,
} from '../../engine/options.js'
import type { ServiceDefinition, ServiceTypes } from '../../engine/service.js'
import { MockError } from '../../http/errors.js'
import type { AppliedFault, PassedRequest } from '../../http/messages.js'
import type { PetstoreOptions } from '../../petstore/options.js'
import {
  checkUpstreamOptions,
  type ResolvedUpstreamOptions,
  UPSTREAM_OPTIONS,
  type UpstreamOptions,
} from '../upstream/options.js'
import { isHostName, isLoopbackHost } from './host-names.js'

/** A request and its response, as `onRequest` receives them. */
export interface RequestRecord {
  /** When the response was sent, by the machine's clock. */
  readonly at: string
  readonly method: string
  /** Path and query as they were sent, without the API keys that the document declares. */
  readonly target: string
  /** The name of the service, if the server has several and the request was for one. */
  readonly service: string | undefined
  /** The name of the sandbox, if the request was for one. */
  readonly sandbox: string | undefined
  /** Whether the request has created the sandbox. */
  readonly isNewSandbox: boolean | undefined
  /** The name of the sandbox that was removed for it, because there were more than `maxSandboxes`. */
  readonly evictedSandbox: string | undefined
  readonly operation: string | undefined
  /** 0 if a fault prevented the response. */
  readonly status: number
  /** The code of an error response. */
  readonly code: string | undefined
  /** How the request violated the contract, if it was rejected for that, or passed through nevertheless. */
  readonly violations: readonly string[] | undefined
  /** What became of it, if it was passed through to the upstream. */
  readonly upstream: PassedRequest | undefined
  /** The fault that was applied. */
  readonly fault: AppliedFault | undefined
  /** How long the client waits, a fault that sends the body slowly included. */
  readonly durationMs: number
  /** The exception behind a failure of the mock itself. */
  readonly failure: unknown
}

/** The options of a server, whatever it serves. */
export interface ListenOptions extends Partial<ServerLimits>, UpstreamOptions {
  /** The port to listen on; 0 picks a free one. Default: 4010. */
  port?: number
  /** The address to listen on. Beyond loopback the admin API requires a token. Default: `127.0.0.1`. */
  host?: string
  /** Origins, besides those on loopback, whose pages may read the API. Default: none. */
  cors?: readonly string[]
  /** Whether pages of the origins in `cors` may send credentials, such as cookies. Default: `false`. */
  corsCredentials?: boolean
  /** Host names that clients may use, besides those of loopback and `host`. Default: none. */
  allowHost?: readonly string[]
  /** The token that the admin API requires. Default: none on loopback, a random one beyond it. */
  adminToken?: string
  /** Whether the port also answers HTTPS, with HTTP/1.1 and HTTP/2. Default: `false`. */
  https?: boolean
  /**
   * The file with the certificate for `https` and the certificates that it depends on (PEM). Default: a certificate for
   * loopback, `host` and the names in `allowHost`, which is made at the first start and kept in the user's cache folder.
   */
  httpsCert?: string
  /** The file with the private key of `httpsCert` (PEM). Default: none. */
  httpsKey?: string
  /** The passphrase of `httpsKey`; on the command line only from PETSTORE_HTTPS_PASSPHRASE. Default: none. */
  httpsPassphrase?: string
  /** The file with the certificate that signs those of clients (PEM). Other connections are refused. Default: none. */
  httpsClientCa?: string
  /** Called after each response. `check` throws the errors that it throws. Default: none. */
  onRequest?: (record: RequestRecord) => void
}

/** For a server of the built-in service. */
export interface ServerOptions extends PetstoreOptions, ListenOptions {}

/** For a server of any other service. */
export type ServiceServerOptions<T extends ServiceTypes = AnyService> = ServedService<T> & MockOptions & ListenOptions

/** What `defineService` returned; or an OpenAPI document, or the path of its file, for a service without code. */
export type ServedService<T extends ServiceTypes = AnyService> =
  | { readonly service: ServiceDefinition<T>; readonly document?: undefined }
  | { readonly document: object | string; readonly service?: undefined }

/** For a server of several services, each at the path of its name: `/shop`. Options of their mocks apply to all of them. */
export interface ServicesServerOptions<Entries extends ServedServices = ServedServices>
  extends ListenOptions,
    Partial<SharedOptions> {
  /** By name: a service, `{ service, …options }` or `{ document, …options }`, where a document may be the path of its file. */
  readonly services: Entries
}

export type ServedServices = Readonly<Record<string, ServiceEntry | { readonly document: string }>>

/** Options of a mock that do not depend on its resources. */
type SharedOptions = Omit<ServiceOptions, 'fixtures' | 'sizes'>

/** Limits on connections and requests. */
export interface ServerLimits {
  /** The maximum size of the request target and all header names and values together, in bytes. Default: 16,384. */
  maxHeaderBytes: number
  /** The maximum number of headers of a request. Default: 100. */
  maxHeaders: number
  /** How long the headers of a request may take to arrive, in milliseconds. Default: 10,000. */
  headersTimeoutMs: number
  /** How long a whole request may take to arrive, in milliseconds. Default: 15,000. */
  requestTimeoutMs: number
  /**
   * How long a connection may be idle, in milliseconds: between two requests, or while the client does not read a
   * response. Default: 5,000.
   */
  idleTimeoutMs: number
  /** The maximum number of connections. One more closes the longest idle one or, if none is idle, is closed. Default: 16,384. */
  maxConnections: number
}

export interface ServerSettings
  extends Resolved<Omit<ListenOptions, Empty | keyof UpstreamOptions>>,
    Resolved<Pick<ListenOptions, Empty>, Empty>,
    ResolvedUpstreamOptions {}

/** Options without a default. An admin token that is needed and not given is a random one. */
type Empty = 'adminToken' | 'httpsCert' | 'httpsKey' | 'httpsPassphrase' | 'httpsClientCa' | 'onRequest'

/** Each connection may use this much memory. No client sends larger headers. */
const MAX_HEADER_BYTES = 1_048_576

/** One hour. A longer timeout might as well be none. */
const MAX_TIMEOUT_MS = 3_600_000
const TIMEOUT = [isCountFrom(1, MAX_TIMEOUT_MS), `a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`] as const

const FILE = [undefined, isOptionalText, 'the path of a PEM file'] as const

export const SERVER_OPTIONS: OptionRows<ServerSettings> = {
  port: [4010, isCountFrom(0, 65_535), 'a whole number from 0 to 65535'],
  host: ['127.0.0.1', (value) => typeof value === 'string' && value !== '', 'an address'],
  cors: [[], listOf((item) => toOrigin(item) !== undefined), 'a list of origins such as https://app.example'],
  corsCredentials: [false, ...BOOLEAN],
  allowHost: [[], listOf(isHostName), 'a list of host names such as mock.test, without a port'],
  adminToken: [undefined, isOptionalToken, 'a string of visible ASCII characters without spaces', 'secret'],
  https: [false, ...BOOLEAN],
  httpsCert: FILE,
  httpsKey: FILE,
  httpsPassphrase: [undefined, isOptionalText, 'a string', 'secret'],
  httpsClientCa: FILE,
  onRequest: [undefined, isOptionalFunction, 'a function'],
  ...UPSTREAM_OPTIONS,
  maxHeaderBytes: [16_384, isCountFrom(1, MAX_HEADER_BYTES), `a number of bytes from 1 to ${MAX_HEADER_BYTES}`],
  maxHeaders: [100, isCountFrom(1), 'a whole number of 1 or more'],
  headersTimeoutMs: [10_000, ...TIMEOUT],
  requestTimeoutMs: [15_000, ...TIMEOUT],
  idleTimeoutMs: [5000, ...TIMEOUT],
  maxConnections: [16_384, isCountFrom(1), 'a whole number of 1 or more'],
}

export const SERVER_DEFAULTS = defaultsOf(SERVER_OPTIONS)

/** Splits the options into those of the server and those of the mock. */
export function resolveServerOptions<Options extends object>(
  options: ListenOptions & Options,
  mockOptions: object,
): { server: ServerSettings; mock: Options } {
  rejectUnknown(options, [...Object.keys(SERVER_OPTIONS), ...Object.keys(mockOptions)])
  const mock = Object.entries(options).filter(([name]) => !(name in SERVER_OPTIONS))
  const server = applyOptions(options, SERVER_OPTIONS)
  checkUpstreamOptions(server)
  const cors = server.cors.map((origin) => toOrigin(origin) as string)
  for (const [option, required] of REQUIRED_OPTIONS) {
    if (isGiven(server[option]) && !isGiven(server[required])) {
      throw new MockError('INVALID_OPTION', `Option "${option}" requires the option "${required}".`, { option })
    }
  }
  const adminToken = server.adminToken ?? (isLoopbackHost(server.host) ? undefined : crypto.randomUUID())
  return { server: { ...server, cors, adminToken }, mock: Object.fromEntries(mock) as Options }
}

/** An option, and another one without which it has no effect. */
export const REQUIRED_OPTIONS: readonly (readonly [option: keyof ServerSettings, required: keyof ServerSettings])[] = [
  ['corsCredentials', 'cors'],
  ['httpsCert', 'https'],
  ['httpsKey', 'https'],
  ['httpsCert', 'httpsKey'],
  ['httpsKey', 'httpsCert'],
  ['httpsPassphrase', 'httpsKey'],
  ['httpsClientCa', 'https'],
]

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value !== '')
}

function listOf(isItem: (item: string) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every((item) => typeof item === 'string' && isItem(item))
}

/**
 * An origin as browsers send it, without a default port and a trailing slash. Undefined if the text is not an origin. Apps
 * and extensions have their own schemes: `capacitor://localhost`.
 */
function toOrigin(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+\/?$/i.test(text) || !URL.canParse(text)) return undefined
  const { origin, protocol, host } = new URL(text)
  return origin === 'null' ? `${protocol}//${host}` : origin
}

function isOptionalToken(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && /^[!-~]+$/.test(value))
}
