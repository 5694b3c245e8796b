import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, type ErrorCode, quote } from '../contract/errors.js'
import type { PlainRequest, PlainResponse, RequestHeaders } from '../contract/messages.js'
import { toErrorResponse } from '../core.js'
import type { Petstore } from '../petstore.js'
import { corsHeaders } from './cors.js'
import type { Guard, Visitor } from './guard.js'
import type { RequestRecord } from './options.js'
import { hasBody, readBody } from './read-body.js'
import { type ParsedTarget, parseTarget } from './target.js'

/** What the client wants to hear before it sends the body: nothing, that it may, or something nobody knows. */
export type Expectation = 'none' | 'continue' | 'unknown'

export interface ExchangeOptions {
  readonly petstore: Petstore
  readonly guard: Guard
  readonly onRequest: ((record: RequestRecord) => void) | undefined
  /** Whether the connection is to end with the answer. */
  readonly isClosing: () => boolean
}

/** Carries one request in and its answer out. */
export function createExchange({ petstore, guard, onRequest, isClosing }: ExchangeOptions) {
  const { maxBodyBytes } = petstore.options

  return (request: IncomingMessage, response: ServerResponse, expectation: Expectation): void => {
    const startedAt = performance.now()
    const target = parseTarget(request.url ?? '')

    function write(reply: PlainResponse, close: boolean): void {
      response.writeHead(reply.status, close || isClosing() ? { ...reply.headers, Connection: 'close' } : reply.headers)
      response.end(reply.body)
      onRequest?.({
        method: request.method ?? '',
        target: request.url ?? '',
        operation: reply.operation,
        status: reply.status,
        code: reply.code,
        durationMs: performance.now() - startedAt,
        failure: reply.failure ?? reply.misuse,
      })
    }

    // Node's parser refuses such a body by itself, right after it has announced the request.
    if (isUndelimited(request)) return
    try {
      checkFraming(request)
      const visitor = guard(request, target)
      if (expectation === 'unknown') {
        throw new ApiError('EXPECTATION_FAILED', 'the only expectation that is met is 100-continue')
      }
      const answer = (body: Uint8Array | 'too large' | undefined, close = false) => {
        const reply = petstore.handle(toPlainRequest(request, target, body))
        const deliver = (settled: PlainResponse) => write(withCors(request, visitor, settled), close)
        if (reply instanceof Promise) reply.then(deliver)
        else deliver(reply)
      }

      if (!hasBody(request)) {
        answer(undefined)
      } else if (expectation === 'continue' && Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
        answer('too large', true)
      } else {
        if (expectation === 'continue') response.writeContinue()
        readBody(request, maxBodyBytes, (body, readAll) => answer(body, !readAll))
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Unless it is only a stranger who asks, what follows on the connection may belong to what was refused.
      write(toErrorResponse(error), expectation !== 'none' || !STRANGERS.includes(error.code))
    }
  }
}

const STRANGERS: readonly ErrorCode[] = ['MISDIRECTED_REQUEST', 'FORBIDDEN_ORIGIN', 'UNAUTHORIZED']

function isUndelimited({ headers }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  return coding !== undefined && !/(?:^|[ \t,])chunked[ \t]*$/i.test(coding)
}

/** Node's parser lets through a few requests that another reader could read differently. */
function checkFraming({ httpVersion, headers }: IncomingMessage): void {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw new ApiError('VERSION_NOT_SUPPORTED', `HTTP/${httpVersion} is not spoken here: send HTTP/1.1`)
  }
  const coding = headers['transfer-encoding']
  if (coding === undefined) return
  if (httpVersion === '1.0')
    throw new ApiError('BAD_REQUEST', 'HTTP/1.0 has no Transfer-Encoding: send a Content-Length')
  if (coding.trim().toLowerCase() !== 'chunked') {
    throw new ApiError(
      'NOT_IMPLEMENTED',
      `the only Transfer-Encoding that is read is chunked, but this is ${quote(coding)}`,
    )
  }
}

function toPlainRequest(
  request: IncomingMessage,
  { path, query }: ParsedTarget,
  body: Uint8Array | 'too large' | undefined,
): PlainRequest {
  return {
    method: request.method ?? '',
    path,
    query,
    base: '',
    headers: request.headers as RequestHeaders,
    ...(body !== undefined && { body }),
  }
}

function withCors(request: IncomingMessage, { crossOrigin }: Visitor, reply: PlainResponse): PlainResponse {
  if (crossOrigin === undefined) return reply
  return { ...reply, headers: { ...reply.headers, ...corsHeaders(request, crossOrigin, reply.headers.Allow) } }
}
