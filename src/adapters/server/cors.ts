import type { IncomingMessage } from 'node:http'
import type { PlainResponse } from '../../engine/contract/messages.js'

/** The headers that a page of another origin may read. */
const EXPOSED = [
  'Accept-Patch',
  'Accept-Post',
  'Allow',
  'Deprecation',
  'Link',
  'Location',
  'Preference-Applied',
  'Sunset',
  'X-Petstore-Mock',
  'X-Stability',
  'X-Total-Count',
].join(', ')

const HEADER_NAMES = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+(?: *, *[A-Za-z0-9!#$%&'*+.^_`|~-]+)*$/
const MAX_LIST_LENGTH = 1000

/**
 * The headers that let a page of an allowed origin read a response: never with a wildcard, never with credentials. The
 * `Allow` header of the response lists the methods for a preflight.
 */
export function corsHeaders(
  request: IncomingMessage,
  origin: string,
  { Allow: allow, Vary: vary }: PlainResponse['headers'],
): Record<string, string> {
  const headers: Record<string, string> = {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': EXPOSED,
    Vary: vary === undefined ? 'Origin' : `${vary}, Origin`,
  }
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return headers
  headers['Access-Control-Max-Age'] = '600'
  if (allow !== undefined) headers['Access-Control-Allow-Methods'] = allow
  const names = request.headers['access-control-request-headers']
  if (names !== undefined && names.length <= MAX_LIST_LENGTH && HEADER_NAMES.test(names)) {
    headers['Access-Control-Allow-Headers'] = names
  }
  if (request.headers['access-control-request-private-network'] === 'true') {
    headers['Access-Control-Allow-Private-Network'] = 'true'
  }
  return headers
}
