import { isIPv6 } from 'node:net'
import type { MetFault } from '../contract/messages.js'
import {
  applyOptions,
  DEFAULTS,
  type Expectations,
  isOptionalFunction,
  type PetstoreOptions,
  refuseUnknown,
} from '../options.js'

/** One answered request, as it is told to `onRequest`. */
export interface RequestRecord {
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  readonly operation: string | undefined
  /** 0 where a fault had nothing sent. */
  readonly status: number
  /** The code of a refusal. */
  readonly code: string | undefined
  /** The fault that it met. */
  readonly fault: MetFault | undefined
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

const EXPECTATIONS: Expectations<ServerSettings> = {
  port: [isPort, 'a whole number from 0 to 65535'],
  host: [(value) => typeof value === 'string' && value !== '', 'an address'],
  cors: [listOf(isOrigin), 'a list of origins such as https://app.example'],
  allowHost: [listOf(isHostName), 'a list of host names such as mock.test, without a port'],
  adminToken: [isOptionalToken, 'a text of visible characters without blanks'],
  onRequest: [isOptionalFunction, 'a function'],
}

export function resolveServerOptions(options: ServerOptions): { server: ServerSettings; petstore: PetstoreOptions } {
  refuseUnknown(options, [...Object.keys(SERVER_DEFAULTS), ...Object.keys(DEFAULTS)])
  const { port, host, cors, allowHost, adminToken, onRequest, ...petstore } = options
  return { server: applyOptions(options, SERVER_DEFAULTS, EXPECTATIONS), petstore }
}

function isPort(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65535
}

function listOf(isItem: (item: string) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every((item) => typeof item === 'string' && isItem(item))
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}

function isHostName(text: string): boolean {
  return /^[a-z0-9._-]+$/i.test(text) || isIPv6(text.replaceAll(/^\[|\]$/g, ''))
}

function isOptionalToken(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && /^[!-~]+$/.test(value))
}
