import type { IncomingMessage } from 'node:http'

/** What a page of another origin may read besides the body. */
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
 * The headers that let a page of an allowed origin read an answer. The origin is named, never a wildcard, and no
 * credentials are ever allowed. A preflight is told what the path takes, which the answer's `Allow` already lists.
 */
export function corsHeaders(
  request: IncomingMessage,
  origin: string,
  allow: string | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': EXPOSED,
    Vary: 'Origin',
  }
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return headers
  headers['Access-Control-Max-Age'] = '600'
  if (allow !== undefined) headers['Access-Control-Allow-Methods'] = allow
  const wanted = request.headers['access-control-request-headers']
  if (wanted !== undefined && wanted.length <= MAX_LIST_LENGTH && HEADER_NAMES.test(wanted)) {
    headers['Access-Control-Allow-Headers'] = wanted
  }
  if (request.headers['access-control-request-private-network'] === 'true') {
    headers['Access-Control-Allow-Private-Network'] = 'true'
  }
  return headers
}
