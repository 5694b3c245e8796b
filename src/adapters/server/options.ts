import { isIPv6 } from 'node:net'
import type { AppliedFault } from '../../engine/contract/messages.js'
import {
  applyOptions,
  type Expectations,
  isCountFrom,
  isOptionalFunction,
  rejectUnknown,
} from '../../engine/options.js'
import { DEFAULTS, type PetstoreOptions } from '../../petstore/options.js'

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
  readonly fault: AppliedFault | undefined
  readonly durationMs: number
  /** Why the mock itself failed, where it did. */
  readonly failure: unknown
}

export interface ServerOptions extends PetstoreOptions, Partial<ServerLimits> {
  /** The port to listen on; 0 picks a free one. Default: 4010. */
  port?: number
  /** The address to bind. Beyond loopback the control plane asks for a token. Default: `127.0.0.1`. */
  host?: string
  /** Origins, besides those on loopback, whose pages may read the API. Default: none. */
  cors?: readonly string[]
  /** Host names, besides loopback's and `host`, that the server answers for. Default: none. */
  allowHost?: readonly string[]
  /** What the control plane asks for. Default: nothing on loopback, a random one beyond it. */
  adminToken?: string
  /** Called after every answer. What it throws is reported by `check`. Default: nothing. */
  onRequest?: (record: RequestRecord) => void
}

/** What bounds a connection, and how many there are. */
export interface ServerLimits {
  /** The most bytes of a request's target and its headers, names and values together. Default: 16,384. */
  maxHeaderBytes: number
  /** How many headers a request may have. Default: 100. */
  maxHeaders: number
  /** How long the headers of a request may take to arrive, in milliseconds. Default: 10,000. */
  headersTimeoutMs: number
  /** How long a whole request may take to arrive, in milliseconds. Default: 15,000. */
  requestTimeoutMs: number
  /**
   * How long a connection may do nothing, in milliseconds, between two requests or while its client does not read an
   * answer. Default: 5,000.
   */
  idleTimeoutMs: number
  /** How many connections there may be; beyond it the longest idle goes, or else the new one. Default: 16,384. */
  maxConnections: number
}

interface ServerSettings extends Readonly<ServerLimits> {
  readonly port: number
  readonly host: string
  readonly cors: readonly string[]
  readonly allowHost: readonly string[]
  readonly adminToken: string | undefined
  readonly onRequest: ((record: RequestRecord) => void) | undefined
}

export const DEFAULT_SERVER_LIMITS: Readonly<ServerLimits> = {
  maxHeaderBytes: 16_384,
  maxHeaders: 100,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 15_000,
  idleTimeoutMs: 5000,
  maxConnections: 16_384,
}

export const SERVER_DEFAULTS: ServerSettings = {
  port: 4010,
  host: '127.0.0.1',
  cors: [],
  allowHost: [],
  adminToken: undefined,
  onRequest: undefined,
  ...DEFAULT_SERVER_LIMITS,
}

/** Beyond this no client sends headers, and each connection may take as much. */
const MAX_HEADER_BYTES = 1_048_576

/** An hour: beyond it a connection might as well have no time-out. */
const MAX_TIMEOUT_MS = 3_600_000
const TIMEOUT = [isCountFrom(1, MAX_TIMEOUT_MS), `a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`] as const

const EXPECTATIONS: Expectations<ServerSettings> = {
  port: [isCountFrom(0, 65_535), 'a whole number from 0 to 65535'],
  host: [(value) => typeof value === 'string' && value !== '', 'an address'],
  cors: [listOf(isOrigin), 'a list of origins such as https://app.example'],
  allowHost: [listOf(isHostName), 'a list of host names such as mock.test, without a port'],
  adminToken: [isOptionalToken, 'a text of visible characters without blanks'],
  onRequest: [isOptionalFunction, 'a function'],
  maxHeaderBytes: [isCountFrom(1, MAX_HEADER_BYTES), `a number of bytes from 1 to ${MAX_HEADER_BYTES}`],
  maxHeaders: [isCountFrom(1), 'a whole number of 1 or more'],
  headersTimeoutMs: TIMEOUT,
  requestTimeoutMs: TIMEOUT,
  idleTimeoutMs: TIMEOUT,
  maxConnections: [isCountFrom(1), 'a whole number of 1 or more'],
}

export function resolveServerOptions(options: ServerOptions): { server: ServerSettings; petstore: PetstoreOptions } {
  rejectUnknown(options, [...Object.keys(SERVER_DEFAULTS), ...Object.keys(DEFAULTS)])
  const petstore = Object.entries(options).filter(([name]) => !(name in SERVER_DEFAULTS))
  return { server: applyOptions(options, SERVER_DEFAULTS, EXPECTATIONS), petstore: Object.fromEntries(petstore) }
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
