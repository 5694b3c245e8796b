import { setMember } from '../../lib/set-member.js'
import type { PlainRequest } from '../contract/messages.js'
import { SANDBOX_COOKIE, withoutSandboxCookie } from '../sandbox-headers.js'
import { namesInConnection, OF_CONNECTION } from './hop-by-hop.js'

/** They name the instance of the mock, or where it is mounted. */
const OF_MOCK = /^(?:x-petstore-.*|x-forwarded-prefix)$/

/** The headers of a request as the real service expects them: those of the connection and of the mock are left out. */
export function toUpstreamHeaders({ headers, body }: PlainRequest, { host, origin }: URL): Record<string, string> {
  const isOfMock = (address: string) => isOwnAddress(address, headers.host)
  const sender = headers.origin ?? headers.referer
  const isForeign = sender !== undefined && !isOfMock(sender)
  const dropped = namesInConnection(headers.connection)
  const sent: Record<string, string> = { host }
  for (const [name, value] of Object.entries(headers)) {
    const isOwn = OF_CONNECTION.has(name) || OF_MOCK.test(name) || dropped.includes(name) || name.startsWith(':')
    if (value === undefined || isOwn) continue
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
