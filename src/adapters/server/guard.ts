import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type ApiError, apiError } from '../../engine/contract/errors.js'
import { quote } from '../../lib/quote.js'

/** The names of this machine to itself. Compared for equality: a name that only resolves here is a stranger. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

export interface GuardOptions {
  /** The address the server is bound to. */
  readonly host: string
  readonly allowHost: readonly string[]
  readonly cors: readonly string[]
  readonly adminToken: string | undefined
}

/** Who is asking, once that was found to be allowed. */
export interface Visitor {
  /** The page's origin, where it is one that may read the API's answers. */
  readonly crossOrigin: string | undefined
}

export type Guard = (request: IncomingMessage, target: Target) => Visitor

/** Decides who may ask, before anything else is looked at: the right host, the right page, the right token. */
export function createGuard(options: GuardOptions): Guard {
  const bound = isEveryAddress(options.host) ? [] : [options.host]
  const hosts = new Set([...LOOPBACK, ...[...bound, ...options.allowHost].map(toHostName)])
  const named = new Set(options.allowHost.map(toHostName))
  const origins = new Set(options.cors)

  /** Nearly all requests name the same host. */
  let known: string | undefined

  function check(authority: string): void {
    if (authority === known) return
    requireHost(authority, hosts)
    known = authority
  }

  /** The server's own address as its pages name it; a proxy that answers for an allowed name may speak TLS. */
  function isOwn(origin: string, host: string): boolean {
    const address = host.toLowerCase()
    return origin === `http://${address}` || (origin === `https://${address}` && named.has(nameOf(address) ?? ''))
  }

  return (request, target) => {
    const host = singleHost(request)
    check(host)
    if (target.authority !== undefined) check(target.authority)
    const { origin } = request.headers
    const foreign = origin !== undefined && !isOwn(origin, host)
    if (target.isAdmin) {
      if (foreign) throw apiError('FORBIDDEN_ORIGIN', `the control plane does not answer pages of ${quote(origin)}`)
      if (isSentByPage(request, ['cross-site', 'same-site'])) throw strangePage()
      if (!target.isPage) checkToken(request, options.adminToken)
      return { crossOrigin: undefined }
    }
    if (foreign && (origins.has(origin) || isLoopbackOrigin(origin))) return { crossOrigin: origin }
    // Of a web socket browsers tell nothing but its origin.
    const isSocket = foreign && request.headers.upgrade !== undefined
    if (isSocket || isSentByPage(request, ['cross-site'])) throw strangePage()
    return { crossOrigin: undefined }
  }
}

/**
 * Whether a page of one of these sites has its browser ask, and not somebody who follows a link. Browsers say so of
 * requests without an Origin too. The page could not read the answer, but with a few images it could fill the journal,
 * use up faults and push sandboxes out.
 */
function isSentByPage({ method, headers }: IncomingMessage, sites: readonly string[]): boolean {
  // Whoever is no browser says neither.
  if (headers['sec-fetch-mode'] === undefined && headers['sec-fetch-site'] === undefined) return false
  const isNavigation = headers['sec-fetch-mode'] === 'navigate'
  // It is not said whose page has this fetched ahead. Refused, the browser asks again when somebody goes there.
  if (isNavigation && String(headers['sec-purpose']).includes('prefetch')) return true
  if (!sites.includes(String(headers['sec-fetch-site']))) return false
  const isFollowed = headers['sec-fetch-user'] === '?1' && headers['sec-fetch-dest'] === 'document'
  return !(isNavigation && isFollowed && method === 'GET')
}

function strangePage(): ApiError {
  return apiError(
    'FORBIDDEN_ORIGIN',
    'a page of another site asks without an Origin that may: use fetch, on loopback or from where cors (--cors) allows it',
  )
}

/** What a request is aimed at, as far as the guard cares. */
export interface Target {
  /** The host and port of an absolute-form target, which must be as good as the Host header. */
  readonly authority: string | undefined
  readonly isAdmin: boolean
  /** Of the control plane, but only a file of its page: a browser sends no token when it is told an address. */
  readonly isPage: boolean
}

export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.includes(toHostName(host)) || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** To bind this is to bind every address of the machine; it is no name to ask for. */
export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** As it stands in a Host header: an IPv6 address in brackets. */
export function toHostName(host: string): string {
  const name = host.toLowerCase()
  return name.includes(':') && !name.startsWith('[') ? `[${name}]` : name
}

const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{0,5}))?$/i
const LAST_PORT = 65_535
const HOST_HEADER = 'host'

function singleHost(request: IncomingMessage): string {
  const { rawHeaders, headers } = request
  const { host } = headers
  let lines = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === HOST_HEADER.length && name.toLowerCase() === HOST_HEADER) lines += 1
  }
  if (lines !== 1 || host === undefined) {
    throw apiError('BAD_REQUEST', `a request must have one Host header, but this has ${lines === 0 ? 'none' : lines}`)
  }
  return host
}

/** Undefined where it is no host, or its port is none. */
function nameOf(authority: string): string | undefined {
  const [, name, port = ''] = HOST.exec(authority.toLowerCase()) ?? []
  return Number(port) > LAST_PORT ? undefined : name
}

function requireHost(authority: string, allowed: ReadonlySet<string>): void {
  const name = nameOf(authority)
  if (name === undefined) throw apiError('BAD_REQUEST', `the Host ${quote(authority)} is not a host name with a port`)
  if (allowed.has(name)) return
  throw apiError(
    'MISDIRECTED_REQUEST',
    `this server does not answer for the host ${quote(name)}: ask for localhost, or allow the host with allowHost (--allow-host)`,
  )
}

function checkToken(request: IncomingMessage, token: string | undefined): void {
  const [, given] = /^bearer +([!-~]+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === undefined || (given !== undefined && isSame(given, token))) return
  throw apiError('UNAUTHORIZED', 'the control plane asks for its token: send the header Authorization: Bearer …', {
    'WWW-Authenticate': 'Bearer',
  })
}

/** Takes as long whatever is given, so that nobody can guess a token letter by letter. */
function isSame(given: string, token: string): boolean {
  const [one, other] = [given, token].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(one, other)
}

function isLoopbackOrigin(origin: string): boolean {
  const [, host] = /^https?:\/\/(.+?)(?::\d{1,5})?$/.exec(origin) ?? []
  return host !== undefined && LOOPBACK.includes(host)
}
