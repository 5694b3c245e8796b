import { BOOLEAN, defaultsOf, isCountFrom, type OptionRows, type Resolved } from '../../engine/options.js'
import { MockError } from '../../http/errors.js'

/** The options of a mock in front of the real service. */
export interface UpstreamOptions {
  /** The base URL of the real service, which some of the operations are passed through to. Default: none. */
  upstream?: string
  /**
   * The operations that are passed through to `upstream`: operationIds, patterns such as `get*`, or methods such as `GET`.
   * Default: none, or all but those in `mock` if there are any.
   */
  pass?: readonly string[]
  /** The operations that the mock answers although `pass` has them. Default: none. */
  mock?: readonly string[]
  /** Whether requests that match no operation of the OpenAPI document are passed through, too. Default: `false`. */
  passUnknown?: boolean
  /** The file with the certificate that signs that of the upstream (PEM). Default: none besides those that Node trusts. */
  upstreamCa?: string
  /** Whether `check` throws when a request that is passed through, or its response, violates the OpenAPI document. Default: `false`. */
  upstreamStrict?: boolean
  /** Whether the mock answers when the upstream cannot be reached, or returns 502, 503 or 504. Default: `false`. */
  upstreamFallback?: boolean
  /** How long the upstream may take for a whole response, in milliseconds. Default: 30,000. */
  upstreamTimeoutMs?: number
}

export interface ResolvedUpstreamOptions extends Resolved<UpstreamOptions, 'upstream' | 'upstreamCa'> {}

/** Ten minutes. */
const MAX_TIMEOUT_MS = 600_000

const NAMES = [
  [],
  (value: unknown) => Array.isArray(value) && value.every((name) => typeof name === 'string'),
  "a list of operations, such as ['listBooks', 'get*']",
] as const

export const UPSTREAM_OPTIONS: OptionRows<ResolvedUpstreamOptions> = {
  upstream: [
    undefined,
    (value) => value === undefined || isBaseUrl(value),
    'a URL such as http://127.0.0.1:8080 or https://host/path, without a password, query or fragment',
  ],
  pass: NAMES,
  mock: NAMES,
  passUnknown: [false, ...BOOLEAN],
  upstreamCa: [
    undefined,
    (value) => value === undefined || (typeof value === 'string' && value !== ''),
    'the path of a PEM file',
  ],
  upstreamStrict: [false, ...BOOLEAN],
  upstreamFallback: [false, ...BOOLEAN],
  upstreamTimeoutMs: [
    30_000,
    isCountFrom(1, MAX_TIMEOUT_MS),
    `a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`,
  ],
}

export const UPSTREAM_DEFAULTS = defaultsOf(UPSTREAM_OPTIONS)

function isBaseUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value) || !URL.canParse(value)) return false
  const { username, password, search, hash } = new URL(value)
  return [username, password, search, hash].every((part) => part === '')
}

/** Throws INVALID_OPTION if an option is given that has no effect without an upstream. */
export function checkUpstreamOptions(options: ResolvedUpstreamOptions): void {
  if (options.upstream !== undefined) return
  const names = Object.keys(UPSTREAM_DEFAULTS) as (keyof ResolvedUpstreamOptions)[]
  const option = names.find((name) => String(options[name]) !== String(UPSTREAM_DEFAULTS[name]))
  if (option === undefined) return
  throw new MockError('INVALID_OPTION', `Option "${option}" requires the option "upstream".`, { option })
}
