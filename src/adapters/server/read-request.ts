import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { isAdminPath } from '../../http/address.js'
import { type RoutedPath, readRoutedPath } from '../../http/base-address.js'
import { type ApiError, apiError } from '../../http/errors.js'
import type { EncryptedProtocol, PlainRequest, RequestHeaders } from '../../http/messages.js'
import { withoutSandboxCookie } from '../../http/sandbox-headers.js'
import { quote } from '../../lib/text.js'
import { isLoopbackAuthority } from './host-names.js'
import type { ServerLimits } from './options.js'
import { isPagePath } from './pages.js'

/** A request of either version of HTTP. */
export interface ServerRequest extends IncomingMessage {
  /** Only in HTTP/2, where a request with a body need not announce its length. */
  readonly hasBody?: boolean
  /** Only in HTTP/2. */
  readonly scheme?: string
}

export interface RequestTarget {
  /** As it was sent, without what a routed path adds. */
  readonly url: string
  /** The host and port of an absolute-form target. */
  readonly authority: string | undefined
  readonly routed: RoutedPath | undefined
  readonly path: string
  readonly query: string
  readonly isAdmin: boolean
  /** Whether it is a file of the dashboard, which needs no token: a browser cannot send one when a page is opened. */
  readonly isAdminPage: boolean
}

/** `servicePath` is the start of the path: that of one of several services, or empty. */
export function parseTarget(url: string, servicePath: string): RequestTarget {
  const absolute = url.startsWith('/') ? null : /^https?:\/\/([^/?#]*)/i.exec(url)
  const rest = url.slice((absolute ? absolute[0].length : 0) + servicePath.length)
  const mark = rest.indexOf('?')
  const sentPath = mark < 0 ? rest : rest.slice(0, mark)
  const routed = readRoutedPath(sentPath)
  const path = (routed?.path ?? sentPath) || '/'
  const isAdmin = isAdminPath(path)
  return {
    url: routed ? url.replace(routed.segment + routed.prefix, '') : url,
    authority: absolute?.[1],
    routed,
    path,
    query: mark < 0 ? '' : rest.slice(mark + 1),
    isAdmin,
    isAdminPage: isAdmin && isPagePath(path),
  }
}

/** How a request arrived, if its connection is encrypted. */
export function protocolOf({ httpVersion, socket }: ServerRequest): EncryptedProtocol | undefined {
  if (httpVersion === '2.0') return 'HTTP/2'
  return (socket as Partial<TLSSocket>).encrypted ? 'HTTPS/1.1' : undefined
}

/** Checks what depends on the version of HTTP. Throws if the request must be rejected. */
export type CheckFraming = (request: ServerRequest, limits: ServerLimits) => void

/** Rejects requests that Node's parser accepts, but another server might read differently, and too many headers. */
export const checkFraming: CheckFraming = ({ httpVersion, headers, rawHeaders }, { maxHeaders }) => {
  checkHeaderCount(rawHeaders.length / 2, maxHeaders)
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw apiError('VERSION_NOT_SUPPORTED', `HTTP/${httpVersion} is not supported. Send HTTP/1.1.`)
  }
  const { 'content-length': length, 'transfer-encoding': coding } = headers
  // Node's parser rejects a repeated length. Bun's joins equal ones: "5, 5".
  if (length?.includes(',')) throw apiError('BAD_REQUEST', 'The request is not valid HTTP.')
  if (coding === undefined) return
  if (!/(?:^|[ \t,])chunked[ \t]*$/i.test(coding)) {
    throw apiError('BAD_REQUEST', `The last Transfer-Encoding must be chunked. Received: ${quote(coding)}.`)
  }
  if (httpVersion === '1.0') {
    throw apiError('BAD_REQUEST', 'HTTP/1.0 does not support Transfer-Encoding. Send a Content-Length.')
  }
  if (coding.trim().toLowerCase() !== 'chunked') {
    throw apiError('NOT_IMPLEMENTED', `Transfer-Encoding ${quote(coding)} is not supported. Use chunked.`)
  }
}

export function checkHeaderCount(count: number, maxHeaders: number): void {
  if (count <= maxHeaders) return
  throw apiError('HEADERS_TOO_LARGE', `The request has ${count} headers. Maximum: ${maxHeaders}.`)
}

export function headersTooLarge(maxHeaderBytes: number): ApiError {
  return apiError('HEADERS_TOO_LARGE', `The request line and headers exceed ${maxHeaderBytes} bytes.`)
}

export function requestTimedOut(): ApiError {
  return apiError('REQUEST_TIMEOUT', 'The request did not arrive in time.')
}

export function notProxy(): ApiError {
  const message = 'This server is not a proxy. Send requests to it directly.'
  return apiError('METHOD_NOT_ALLOWED', message, { Allow: 'OPTIONS' })
}

/**
 * How many bytes of a body over the limit are still read and discarded, so that its sender can read the response instead
 * of a broken connection.
 */
const MAX_DISCARDED_BYTES = 32 * 1_048_576

/**
 * Reads a body up to a limit. `isComplete` is false if the rest of it is still to come, so that no further request can be
 * read from the connection. `done` is not called if the client disconnects before it has sent the whole body.
 */
export function readBody(
  request: ServerRequest,
  response: ServerResponse,
  maxBytes: number,
  done: (body: PlainRequest['body'], isComplete: boolean) => void,
): void {
  const { 'content-length': length = '0', 'transfer-encoding': coding, expect } = request.headers
  const hasBody = request.hasBody ?? (coding !== undefined || length !== '0')
  if (!hasBody) {
    done(undefined, true)
    return
  }
  // HTTP/1.0 has no interim responses.
  if (expect !== undefined && request.httpVersion !== '1.0') {
    if (Number(length) > maxBytes) {
      done('too large', false)
      return
    }
    response.writeContinue()
  }
  let chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= maxBytes) {
      chunks.push(chunk)
    } else if (size <= maxBytes + MAX_DISCARDED_BYTES) {
      chunks = []
    } else {
      request.removeAllListeners('data').removeAllListeners('end').pause()
      done('too large', false)
    }
  })
  request.on('end', () => {
    // A stream of HTTP/2 that was reset ends, too.
    if (request.aborted) return
    if (size > maxBytes) done('too large', true)
    // Most bodies arrive in one chunk, which does not have to be copied.
    else if (chunks.length === 1) done(chunks[0], true)
    else done(Buffer.concat(chunks, size), true)
  })
}

/** The path that a proxy has removed from the target. References in the response start with it. */
export function readPrefix({ headers }: IncomingMessage, { routed }: RequestTarget): string {
  const header = routed ? routed.prefix || undefined : headers['x-forwarded-prefix']
  if (header === undefined || header === '/') return ''
  if (typeof header === 'string' && header.length <= MAX_PREFIX_LENGTH && PREFIX.test(header)) {
    return header.endsWith('/') ? header.slice(0, -1) : header
  }
  throw apiError('BAD_REQUEST', `X-Forwarded-Prefix must be a path such as /api. Received: ${quote(String(header))}.`)
}

const PREFIX = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)+\/?$/
const MAX_PREFIX_LENGTH = 200

export function toPlainRequest(
  request: ServerRequest,
  { authority, routed, path, query }: RequestTarget,
  base: string,
  body: PlainRequest['body'],
): PlainRequest {
  const { method = '', headers: nodeHeaders } = request
  const { cookie, host = '' } = nodeHeaders
  // Other servers of a public host's domain can set cookies for it.
  const isHidden = cookie !== undefined && !isLoopbackAuthority(authority ?? host)
  let headers = withLostHeader(nodeHeaders as RequestHeaders, request)
  if (isHidden) headers = { ...headers, cookie: withoutSandboxCookie(cookie) }
  if (routed !== undefined) headers = { ...headers, 'x-petstore-sandbox': routed.sandbox }
  const protocol = protocolOf(request)
  // Without spreading, which would make each request slower.
  const plain: { -readonly [Name in keyof PlainRequest]: PlainRequest[Name] } = { method, path, query, base, headers }
  if (body !== undefined) plain.body = body
  if (protocol !== undefined) plain.protocol = protocol
  return plain
}

/** Node's HTTP/1.1 parser assigns headers to an object, where one named `__proto__` is lost. */
function withLostHeader(headers: RequestHeaders, { rawHeaders }: ServerRequest): RequestHeaders {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    // The length first, because this is done for each header of each request.
    if (name.length !== LOST_NAME.length || name.toLowerCase() !== LOST_NAME) continue
    if (Object.hasOwn(headers, LOST_NAME)) return headers
    const values = rawHeaders.filter(
      (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === LOST_NAME,
    )
    return { ...headers, [LOST_NAME]: values.join(', ') }
  }
  return headers
}

const LOST_NAME = '__proto__'
