import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type ApiError, apiError } from '../../http/errors.js'
import { readBearerToken } from '../../http/headers.js'
import { quote } from '../../lib/text.js'
import type { CorsOrigin } from './cors.js'
import { isAnyAddress, isLoopbackOrigin, LOOPBACK_HOSTS, readHostName, toHostName } from './host-names.js'
import type { ServerSettings } from './options.js'
import { protocolOf, type RequestTarget, type ServerRequest } from './read-request.js'

/** Throws if a request is not allowed. Returns the origin of the page that sent it if CORS headers are needed. */
export type Guard = (request: ServerRequest, target: RequestTarget) => CorsOrigin | undefined

/** Checks host, origin and token before anything else of a request. */
export function createGuard(settings: ServerSettings): Guard {
  const { host: boundHost, allowHost, cors, corsCredentials, adminToken, httpsClientCa } = settings
  const namedHosts = new Set(allowHost.map(toHostName))
  const hosts = new Set([...LOOPBACK_HOSTS, ...namedHosts])
  if (!isAnyAddress(boundHost)) hosts.add(toHostName(boundHost))

  /** Whether the page was served by this server. A proxy for an allowed host may use TLS. */
  function isOwnOrigin(origin: string, host: string, isEncrypted: boolean): boolean {
    const address = host.toLowerCase()
    if (isEncrypted) return origin === `https://${address}`
    return (
      origin === `http://${address}` || (origin === `https://${address}` && namedHosts.has(readHostName(address) ?? ''))
    )
  }

  return (request, { authority, isAdmin, isAdminPage }) => {
    // Repeated headers are joined with a comma, which is not valid in a host.
    const { host, origin, upgrade } = request.headers
    const isEncrypted = protocolOf(request) !== undefined
    if (httpsClientCa !== undefined && !isEncrypted) {
      throw apiError('MISDIRECTED_REQUEST', 'This server requires a client certificate. Use https.')
    }
    if (host === undefined) throw apiError('BAD_REQUEST', 'The Host header is missing.')
    checkHost(host, hosts)
    if (authority !== undefined) checkHost(authority, hosts)
    const isForeign = origin !== undefined && !isOwnOrigin(origin, host, isEncrypted)
    if (isAdmin) {
      if (isForeign) {
        throw apiError('FORBIDDEN_ORIGIN', `Pages of origin ${quote(origin)} cannot use the admin API.`)
      }
      if (isSentByPage(request, OTHER_ORIGINS)) {
        throw apiError(
          'FORBIDDEN_ORIGIN',
          'A page of another origin sent this request. Only the pages of this server can use the admin API.',
        )
      }
      if (!isAdminPage) checkToken(request, adminToken)
      return undefined
    }
    if (isForeign && cors.includes(origin)) return { origin, allowsCredentials: corsCredentials }
    if (isForeign && isLoopbackOrigin(origin)) return { origin, allowsCredentials: false }
    // For a WebSocket, browsers send an Origin but no Sec-Fetch headers.
    const isWebSocket = isForeign && upgrade !== undefined
    if (isWebSocket || (isSentByPage(request, OTHER_SITES) && !isSentByLoopbackPage(request))) {
      throw forbiddenPage(request.headers)
    }
    return undefined
  }
}

/** Values of `Sec-Fetch-Site`. */
const OTHER_SITES = ['cross-site']
const OTHER_ORIGINS = ['cross-site', 'same-site']

/**
 * Whether a page of one of these sites made the browser send the request, rather than a user following a link. Browsers
 * say so even for requests without an Origin. The page could not read the response, but loading a few images could fill
 * the journal, use up faults and evict sandboxes.
 */
function isSentByPage({ method, headers }: IncomingMessage, sites: readonly string[]): boolean {
  // Only browsers send these headers.
  if (headers['sec-fetch-mode'] === undefined && headers['sec-fetch-site'] === undefined) return false
  const isNavigation = headers['sec-fetch-mode'] === 'navigate'
  // A prefetch does not say which site caused it. If it is rejected, the browser sends the request again on navigation.
  if (isNavigation && String(headers['sec-purpose']).includes('prefetch')) return true
  if (!sites.includes(String(headers['sec-fetch-site']))) return false
  const isByUser = headers['sec-fetch-user'] === '?1' && headers['sec-fetch-dest'] === 'document'
  return !(isNavigation && isByUser && method === 'GET')
}

/**
 * To a browser, `localhost` and `127.0.0.1` are two sites. A page cannot claim to be another one: it can only leave out where
 * it is. Only `fetch` and XMLHttpRequest count: an image of a foreign site that redirects here has the Referer of the page that
 * shows it.
 */
function isSentByLoopbackPage({ headers }: IncomingMessage): boolean {
  const { origin, referer = '', 'sec-fetch-mode': mode } = headers
  return mode === 'cors' && origin === undefined && URL.canParse(referer) && isLoopbackOrigin(new URL(referer).origin)
}

function forbiddenPage({ origin, 'sec-fetch-mode': mode }: IncomingMessage['headers']): ApiError {
  if (origin !== undefined) {
    const message = `Pages of origin ${quote(origin)} cannot use this server. Allow the origin with cors (--cors).`
    return apiError('FORBIDDEN_ORIGIN', message)
  }
  // A browser adds an Origin to such a request, unless its address was changed afterwards, as Playwright can.
  if (mode === 'cors') {
    const message =
      'A page sent this request to another site, and the request was then routed here. Use the same host name for the page and this server, such as localhost.'
    return apiError('FORBIDDEN_ORIGIN', message)
  }
  return apiError(
    'FORBIDDEN_ORIGIN',
    'A page of another site sent this request without an Origin. Use fetch, and allow the origin with cors (--cors).',
  )
}

function checkHost(authority: string, allowed: ReadonlySet<string>): void {
  const name = readHostName(authority)
  if (name === undefined) {
    throw apiError('BAD_REQUEST', `Host ${quote(authority)} is invalid. Send one host name with an optional port.`)
  }
  if (allowed.has(name)) return
  const message = `Host ${quote(name)} is not allowed. Use localhost, or allow it with allowHost (--allow-host).`
  throw apiError('MISDIRECTED_REQUEST', message)
}

function checkToken(request: IncomingMessage, token: string | undefined): void {
  const received = readBearerToken(request.headers.authorization)
  if (token === undefined || (received !== undefined && isSame(received, token))) return
  const message =
    received === undefined
      ? 'The admin API requires a token. Send the header "Authorization: Bearer <token>".'
      : 'The token is wrong. Send that of --admin-token (adminToken), or the one that the server showed when it started.'
  throw apiError('UNAUTHORIZED', message, { 'WWW-Authenticate': 'Bearer' })
}

/** In constant time, so that a token cannot be guessed character by character. */
function isSame(received: string, token: string): boolean {
  const [one, other] = [received, token].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(one, other)
}
