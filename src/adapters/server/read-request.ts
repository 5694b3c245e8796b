import type { IncomingMessage, ServerResponse } from 'node:http'
import { isAdminPath } from '../../engine/address.js'
import { apiError } from '../../engine/contract/errors.js'
import type { PlainRequest, RequestHeaders } from '../../engine/contract/messages.js'
import { withoutSandboxCookie } from '../../engine/sandbox-headers.js'
import { quote } from '../../lib/quote.js'
import { runInSlices, type Steps } from '../../lib/steps.js'
import { isLoopbackAuthority } from './host-names.js'
import { isPagePath } from './pages.js'

export interface RequestTarget {
  /** The host and port of an absolute-form target. */
  readonly authority: string | undefined
  readonly path: string
  readonly query: string
  readonly isAdmin: boolean
  /** Whether it is a file of the dashboard, which needs no token: a browser cannot send one when a page is opened. */
  readonly isAdminPage: boolean
}

export function parseTarget(url: string): RequestTarget {
  const absolute = url.startsWith('/') ? null : /^https?:\/\/([^/?#]*)/i.exec(url)
  const rest = absolute ? url.slice(absolute[0].length) : url
  const mark = rest.indexOf('?')
  const path = (mark < 0 ? rest : rest.slice(0, mark)) || '/'
  const isAdmin = isAdminPath(path)
  return {
    authority: absolute?.[1],
    path,
    query: mark < 0 ? '' : rest.slice(mark + 1),
    isAdmin,
    isAdminPage: isAdmin && isPagePath(path),
  }
}

/** Rejects requests that Node's parser accepts, but another server might read differently, and too many headers. */
export function checkFraming({ httpVersion, headers, rawHeaders }: IncomingMessage, maxHeaders: number): void {
  const count = rawHeaders.length / 2
  if (count > maxHeaders) {
    throw apiError('HEADERS_TOO_LARGE', `The request has ${count} headers. Maximum: ${maxHeaders}.`)
  }
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
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
  done: (body: PlainRequest['body'], isComplete: boolean) => void,
): void {
  const { 'content-length': length = '0', 'transfer-encoding': coding, expect } = request.headers
  if (coding === undefined && length === '0') {
    done(undefined, true)
    return
  }
  // HTTP/1.0 has no interim responses.
  if (expect !== undefined && request.httpVersion === '1.1') {
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
    if (size > maxBytes) done('too large', true)
    // Most bodies arrive in one chunk, which does not have to be copied.
    else if (chunks.length === 1) done(chunks[0], true)
    else void runInSlices(joinChunks(chunks, size)).then((body) => done(body, true))
  })
}

function* joinChunks(chunks: readonly Buffer[], size: number): Steps<Buffer> {
  const body = Buffer.allocUnsafe(size)
  let end = 0
  for (const chunk of chunks) {
    yield
    end += chunk.copy(body, end)
  }
  return body
}

/** The path that a proxy has removed from the target. References in the response start with it. */
export function readPrefix({ headers }: IncomingMessage): string {
  const header = headers['x-forwarded-prefix']
  if (header === undefined || header === '/') return ''
  if (typeof header === 'string' && header.length <= MAX_PREFIX_LENGTH && PREFIX.test(header)) {
    return header.endsWith('/') ? header.slice(0, -1) : header
  }
  throw apiError('BAD_REQUEST', `X-Forwarded-Prefix must be a path such as /api. Received: ${quote(String(header))}.`)
}

const PREFIX = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)+\/?$/
const MAX_PREFIX_LENGTH = 200

export function toPlainRequest(
  { method = '', headers: nodeHeaders }: IncomingMessage,
  { authority, path, query }: RequestTarget,
  base: string,
  body: PlainRequest['body'],
): PlainRequest {
  const { cookie, host = '' } = nodeHeaders
  // Other servers of a public host's domain can set cookies for it.
  const isHidden = cookie !== undefined && !isLoopbackAuthority(authority ?? host)
  const headers = (isHidden ? { ...nodeHeaders, cookie: withoutSandboxCookie(cookie) } : nodeHeaders) as RequestHeaders
  return body === undefined ? { method, path, query, base, headers } : { method, path, query, base, headers, body }
}
