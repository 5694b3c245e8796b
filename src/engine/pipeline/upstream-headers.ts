import { readBearerToken, toCanonicalName } from '../../http/headers.js'
import type { PlainRequest } from '../../http/messages.js'
import { findCookieNames, SANDBOX_COOKIE, withoutSandboxCookie } from '../../http/sandbox-headers.js'
import { setMember } from '../../lib/values.js'
import type { UpstreamRequest, UpstreamResponse } from './upstream.js'

/** Headers that belong to one connection (RFC 9110, 7.6.1), and those of an earlier version of HTTP/2. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Other headers that belong to the connection, in lower case. */
function namesInConnection(connection: string | undefined): string[] {
  return (connection ?? '').split(',').map((name) => name.trim().toLowerCase())
}

/** Where the mock stands in front of which service. */
export interface MockPlace {
  readonly upstream: URL
  /** The path of the mock's base address, which references in its responses start with. */
  readonly base: string
}

/** The path of the upstream's base URL, without a slash at the end. */
export function basePathOf({ pathname }: URL): string {
  return pathname.replace(/\/+$/, '')
}

/** To a browser, this is the address of another host. It removes tabs. */
const OTHER_HOST = /^\/\t*[/\\]/

/** The same path below the base address of the mock; undefined if it is outside the upstream's base URL. */
function toMockPath(path: string, { upstream, base }: MockPlace): string | undefined {
  const upstreamBase = basePathOf(upstream)
  const rest = path.slice(upstreamBase.length)
  if (!path.startsWith(upstreamBase) || !/^(?:[/?#]|$)/.test(rest) || OTHER_HOST.test(rest)) return undefined
  return base === '' && !rest.startsWith('/') ? `/${rest}` : base + rest
}

/**
 * An address in a response, so that a client reaches it through the mock. One that is not below the upstream's base URL
 * keeps its meaning. `target` is what was requested.
 */
export function toMockAddress(address: string, target: string, place: MockPlace): string {
  // As it came, if possible.
  if (address.startsWith('/') && !OTHER_HOST.test(address))
    return toMockPath(address, place) ?? place.upstream.origin + address
  const asked = new URL(place.upstream.origin + target)
  if (!URL.canParse(address, asked)) return address
  const { origin, pathname, search, hash, href } = new URL(address, asked)
  if (origin !== place.upstream.origin) return address
  return toMockPath(pathname + search + hash, place) ?? href
}

/** They name the instance of the mock, or where it is mounted. */
const OF_MOCK = /^(?:x-petstore-.*|x-forwarded-prefix)$/

/** The headers of a request as the real service expects them: those of the connection and of the mock are left out. */
export function toUpstreamHeaders(
  { headers, body }: PlainRequest,
  { host, origin }: URL,
  adminToken?: string,
): Record<string, string> {
  const isOfMock = (address: string) => isOwnAddress(address, headers.host)
  const sender = headers.origin ?? headers.referer
  const isForeign = sender !== undefined && !isOfMock(sender)
  const dropped = namesInConnection(headers.connection)
  const sent: Record<string, string> = { host }
  for (const [name, value] of Object.entries(headers)) {
    const isOwn = OF_CONNECTION.has(name) || OF_MOCK.test(name) || dropped.includes(name) || name.startsWith(':')
    if (value === undefined || isOwn) continue
    if (name === 'authorization' && adminToken !== undefined && readBearerToken(value) === adminToken) continue
    const changed = isForeign && OF_PAGE.includes(name) ? value : toUpstreamValue(name, value, origin)
    if (changed !== undefined) setMember(sent, name, changed)
  }
  // The response is checked and recorded as it is.
  sent['accept-encoding'] = 'identity'
  if (body !== undefined) sent['content-length'] = String(body.length)
  return sent
}

/** What a request says about the page that sends it. */
const OF_PAGE = ['origin', 'referer', 'sec-fetch-site']

const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/

/** Whether it is that of a page on this machine, or of the mock's own host. */
function isOwnAddress(address: string, host: string | undefined): boolean {
  if (!URL.canParse(address)) return true
  const url = new URL(address)
  return url.host === host?.toLowerCase() || LOOPBACK.test(url.hostname)
}

/** Undefined for a header that is left out. The service knows its own origin, not that of a page on localhost. */
function toUpstreamValue(name: string, value: string, origin: string): string | undefined {
  switch (name) {
    case 'host':
    case 'content-length':
      return undefined
    case 'origin':
      return value === 'null' ? value : origin
    case 'referer':
      return URL.canParse(value) ? origin + new URL(value).pathname + new URL(value).search : undefined
    case 'sec-fetch-site':
      return value === 'none' ? value : 'same-origin'
    case 'cookie':
      return withoutSandboxCookie(value).trim() || undefined
    case 'baggage':
      return withoutSandbox(value)
    default:
      return value
  }
}

function withoutSandbox(baggage: string): string | undefined {
  const members = baggage.split(',').filter((member) => member.split('=', 1)[0]?.trim() !== SANDBOX_COOKIE)
  return members.join(',').trim() || undefined
}

/**
 * The mock decides which pages may read its responses, but not what of them. A browser would apply the others to all of
 * localhost, or go to another host.
 */
const DROPPED = /^(?:access-control-(?!expose-headers$).*|alt-svc|strict-transport-security|content-length)$/

/** The headers of the real service's response, so that a client of the mock can use them. */
export function toClientHeaders(
  { headers: received }: UpstreamResponse,
  { target }: UpstreamRequest,
  { base, protocol }: PlainRequest,
  upstream: URL,
): Record<string, string> {
  const place = { upstream, base }
  const connection = received.filter(([name]) => name.toLowerCase() === 'connection').map(([, value]) => value)
  const dropped = namesInConnection(connection.join(','))
  const headers: Record<string, string> = {}
  for (const [sent, value] of received) {
    const lower = sent.toLowerCase()
    if (OF_CONNECTION.has(lower) || DROPPED.test(lower) || dropped.includes(lower)) continue
    const changed = toClientValue(lower, value, target, { ...place, isSecure: protocol !== undefined })
    if (changed === undefined) continue
    const name = toCanonicalName(sent)
    const first = Object.hasOwn(headers, name) ? headers[name] : undefined
    const separator = lower === 'set-cookie' ? '\n' : ', '
    setMember(headers, name, first === undefined ? changed : `${first}${separator}${changed}`)
  }
  return headers
}

interface ClientPlace extends MockPlace {
  readonly isSecure: boolean
}

/** Undefined for a header that is left out. */
function toClientValue(name: string, value: string, target: string, place: ClientPlace): string | undefined {
  switch (name) {
    case 'location':
    case 'content-location':
      return toMockAddress(value, target, place)
    case 'link':
      return value.replaceAll(/<([^<>]*)>/g, (_, address: string) => `<${toMockAddress(address, target, place)}>`)
    case 'set-cookie':
      return toClientCookie(value, place)
    default:
      return value
  }
}

/** A cookie for the host of the mock. One that names a sandbox would choose what its client sees of the mock. */
function toClientCookie(cookie: string, place: ClientPlace): string | undefined {
  const [pair = '', ...attributes] = cookie.split(';')
  const name = (pair.split('=', 1)[0] ?? '').trim()
  // A browser sends `=a=1` back as `a=1`.
  if (findCookieNames({ cookie: pair.replace(/^\s*=/, '') }).length > 0) return undefined
  const isSecure = place.isSecure || /^__(?:secure|host)-/i.test(name)
  const kept = attributes.flatMap((attribute) => {
    const [, key = '', value = ''] = /^\s*([^=]*?)\s*(?:=\s*(.*?)\s*)?$/.exec(attribute) ?? []
    switch (key.toLowerCase()) {
      case 'domain':
        return []
      case 'secure':
      // Browsers accept it only with `Secure`.
      case 'partitioned':
        return isSecure ? [attribute] : []
      case 'samesite':
        // The same.
        return !isSecure && value.toLowerCase() === 'none' ? [] : [attribute]
      case 'path':
        return [` Path=${toCookiePath(value, place)}`]
      default:
        return [attribute]
    }
  })
  return [pair, ...kept].join(';')
}

/** A cookie of the whole service stays one for all paths: scripts of the page may read it. */
function toCookiePath(path: string, place: MockPlace): string {
  const isWhole = path === '/' || path.replace(/\/+$/, '') === basePathOf(place.upstream)
  return isWhole ? '/' : (toMockPath(path, place) ?? '/')
}
