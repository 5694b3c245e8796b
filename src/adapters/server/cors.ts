import type { IncomingMessage } from 'node:http'
import { version } from '../../generated/lib/version.js'
import { HEADER_NAME } from '../../http/header-rules.js'
import type { Outcome, PlainResponse } from '../../http/messages.js'
import { ALL_METHODS } from '../../http/methods.js'

/** The headers that a page of another origin may read. */
const EXPOSED = [
  'Accept-Patch',
  'Accept-Post',
  'Allow',
  'Deprecation',
  'Link',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Petstore-Mock',
  'X-Stability',
  'X-Total-Count',
]

const EXPOSE = 'Access-Control-Expose-Headers'

const MAX_LIST_LENGTH = 1000

const METHOD = /^[A-Z]{1,20}$/

export interface CorsOrigin {
  readonly origin: string
  /** Whether its pages may send cookies, TLS certificates or an HTTP login. */
  readonly allowsCredentials: boolean
}

/** Whether a browser asks if a page may send a request. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/** The response to a preflight, before its CORS headers are added. */
export const PREFLIGHT: Outcome = { response: { status: 204, headers: { 'X-Petstore-Mock': version } }, trace: {} }

/** The headers that let a page of an allowed origin read a response. Never with a wildcard. */
export function corsHeaders(
  request: IncomingMessage,
  { origin, allowsCredentials }: CorsOrigin,
  { Vary: vary, [EXPOSE]: exposed }: PlainResponse['headers'],
): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    ...(allowsCredentials && { 'Access-Control-Allow-Credentials': 'true' }),
    // A service that requests are passed through to has some of its own.
    [EXPOSE]: [...EXPOSED, ...(exposed === undefined ? [] : [exposed])].join(', '),
    Vary: vary === undefined ? 'Origin' : `${vary}, Origin`,
    ...(isPreflight(request) && preflightHeaders(request)),
  }
}

/** Allows every method, so that a page gets the 404 or 405 of a mistyped request instead of a network error. */
function preflightHeaders({ headers: sent }: IncomingMessage): Record<string, string> {
  const method = sent['access-control-request-method'] ?? ''
  const names = sent['access-control-request-headers'] ?? ''
  const areNames = names.length <= MAX_LIST_LENGTH && names.split(/ *, */).every((name) => HEADER_NAME.test(name))
  return {
    'Access-Control-Max-Age': '600',
    'Access-Control-Allow-Methods': [...new Set([...ALL_METHODS, ...(METHOD.test(method) ? [method] : [])])].join(', '),
    ...(areNames && { 'Access-Control-Allow-Headers': names }),
    ...(sent['access-control-request-private-network'] === 'true' && {
      'Access-Control-Allow-Private-Network': 'true',
    }),
  }
}
