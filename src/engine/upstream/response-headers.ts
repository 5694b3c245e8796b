import { setMember } from '../../lib/set-member.js'
import type { PlainRequest } from '../contract/messages.js'
import { toCanonicalName } from '../contract/response-headers.js'
import { SANDBOX_COOKIE } from '../sandbox-headers.js'
import { basePathOf, type Place, toMockAddress, toMockPath } from './addresses.js'
import { namesInConnection, OF_CONNECTION } from './hop-by-hop.js'
import type { UpstreamRequest, UpstreamResponse } from './upstream.js'

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

interface ClientPlace extends Place {
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
  if (name === SANDBOX_COOKIE) return undefined
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
function toCookiePath(path: string, place: Place): string {
  const isWhole = path === '/' || path.replace(/\/+$/, '') === basePathOf(place.upstream)
  return isWhole ? '/' : (toMockPath(path, place) ?? '/')
}
