import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ApiError, quote } from '../contract/errors.js'

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
  const hosts = new Set([...LOOPBACK, ...[options.host, ...options.allowHost].map(toHostName)])
  const origins = new Set(options.cors)

  return (request, target) => {
    const host = singleHost(request)
    checkHost(host, hosts)
    if (target.authority !== undefined) checkHost(target.authority, hosts)
    const { origin } = request.headers
    const foreign = origin !== undefined && origin !== `http://${host.toLowerCase()}`
    if (target.isControl) {
      if (foreign) throw new ApiError('FORBIDDEN_ORIGIN', `the control plane does not answer pages of ${quote(origin)}`)
      refusePages(request, ['cross-site', 'same-site'])
      if (!target.isPage) checkToken(request, options.adminToken)
      return { crossOrigin: undefined }
    }
    if (foreign && (origins.has(origin) || isLoopbackOrigin(origin))) return { crossOrigin: origin }
    refusePages(request, ['cross-site'])
    return { crossOrigin: undefined }
  }
}

/**
 * Browsers say where the page is from that asks, for requests that come without an Origin too. It could not read the
 * answer, but with a few images it could fill the journal, use up faults and push sandboxes out. Somebody who follows a
 * link is welcome.
 */
function refusePages({ headers }: IncomingMessage, sites: readonly string[]): void {
  if (!sites.includes(String(headers['sec-fetch-site']))) return
  if (headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document') return
  throw new ApiError(
    'FORBIDDEN_ORIGIN',
    'a page of another site asks: only pages on loopback, and those allowed with cors (--cors), may',
  )
}

/** What a request is aimed at, as far as the guard cares. */
export interface Target {
  /** The host and port of an absolute-form target, which must be as good as the Host header. */
  readonly authority: string | undefined
  readonly isControl: boolean
  /** Of the control plane, but only a file of its page: a browser sends no token when it is told an address. */
  readonly isPage: boolean
}

export function isLoopbackHost(host: string): boolean {
  return LOOPBACK.includes(toHostName(host)) || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** As it stands in a Host header: an IPv6 address in brackets. */
export function toHostName(host: string): string {
  const name = host.toLowerCase()
  return name.includes(':') && !name.startsWith('[') ? `[${name}]` : name
}

const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

function singleHost(request: IncomingMessage): string {
  const { host } = request.headers
  const lines = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length
  if (lines !== 1 || host === undefined) {
    throw new ApiError(
      'BAD_REQUEST',
      `a request must have one Host header, but this has ${lines === 0 ? 'none' : lines}`,
    )
  }
  return host
}

function checkHost(authority: string, allowed: ReadonlySet<string>): void {
  const name = HOST.exec(authority)?.[1]
  if (name === undefined)
    throw new ApiError('BAD_REQUEST', `the Host ${quote(authority)} is not a host name with a port`)
  if (allowed.has(name.toLowerCase())) return
  throw new ApiError(
    'MISDIRECTED_REQUEST',
    `this server does not answer for the host ${quote(name)}: ask for localhost, or allow the host with allowHost (--allow-host)`,
  )
}

function checkToken(request: IncomingMessage, token: string | undefined): void {
  const [scheme, given = ''] = (request.headers.authorization ?? '').split(' ')
  if (token === undefined || (scheme?.toLowerCase() === 'bearer' && isSame(given, token))) return
  throw new ApiError('UNAUTHORIZED', 'the control plane asks for its token: send the header Authorization: Bearer …', {
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
