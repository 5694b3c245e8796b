import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, type ErrorCode, quote } from '../contract/errors.js'
import type { PlainRequest, PlainResponse, RequestHeaders } from '../contract/messages.js'
import { checkExpectation } from '../contract/negotiation.js'
import { toErrorResponse, toFailureResponse } from '../contract/render.js'
import { mostBytesFor } from '../limits.js'
import type { Petstore } from '../petstore.js'
import { corsHeaders } from './cors.js'
import { deliver, waitingFor } from './deliver.js'
import type { Guard, Visitor } from './guard.js'
import type { RequestRecord, ServerLimits } from './options.js'
import type { Pages } from './pages.js'
import { hasBody, readBody } from './read-body.js'
import { type ParsedTarget, parseTarget } from './target.js'

export interface ExchangeOptions {
  readonly petstore: Petstore
  readonly guard: Guard
  readonly pages: Pages
  readonly onRequest: ((record: RequestRecord) => void) | undefined
  /** Whether the connection is to end with the answer. */
  readonly isClosing: () => boolean
  readonly limits: ServerLimits
  /** Told of a connection whose last answer is being written. */
  readonly onLast: (socket: Socket) => void
}

/** Carries requests in and their answers out. */
export function createExchange({ petstore, guard, pages, onRequest, isClosing, limits, onLast }: ExchangeOptions) {
  /** What ends the answers that go on by themselves. */
  const ends = new Set<() => void>()

  function exchange(request: IncomingMessage, response: ServerResponse): void {
    const startedAt = performance.now()
    const target = parseTarget(request.url ?? '')
    const mostRead = mostBytesFor(target.path, petstore.options)

    function write(reply: PlainResponse, close: boolean): void {
      const isLast = close || isClosing()
      if (isLast) onLast(request.socket)
      deliver(response, isLast ? { ...reply, headers: { ...reply.headers, Connection: 'close' } } : reply, {
        ends,
        idleTimeoutMs: limits.idleTimeoutMs,
      })
      onRequest?.({
        method: request.method ?? '',
        target: request.url ?? '',
        operation: reply.operation,
        status: reply.status,
        code: reply.code,
        fault: reply.fault,
        durationMs: performance.now() - startedAt,
        failure: reply.failure ?? reply.misuse,
      })
    }

    const { expect: expected } = request.headers
    try {
      checkFraming(request, limits.maxHeaders)
      const visitor = guard(request, target)
      checkExpectation(expected)
      const answer = (body: Uint8Array | 'too large' | undefined, close = false) => {
        const asked = toPlainRequest(request, target, body)
        const reply = attempt(asked, () => pages(asked) ?? petstore.handle(asked, waitingFor(response)))
        const send = (settled: PlainResponse) => write(withCors(request, visitor, settled), close)
        if (reply instanceof Promise) void reply.then(send)
        else send(reply)
      }

      if (!hasBody(request)) {
        answer(undefined)
      } else if (expected !== undefined && Number(request.headers['content-length'] ?? 0) > mostRead) {
        answer('too large', true)
      } else {
        if (expected !== undefined) response.writeContinue()
        readBody(request, mostRead, (body, readAll) => answer(body, !readAll))
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Unless it is only a stranger who asks, what follows on the connection may belong to what was refused.
      write(toErrorResponse(error), expected !== undefined || !STRANGERS.includes(error.code))
    }
  }

  return {
    exchange,
    /** Lets go of those who follow what happens: nothing more will. */
    endStreams() {
      for (const end of ends) end()
    },
  }
}

/** Whatever fails in the mock itself is an answer too: one request does not end the server of all. */
function attempt(
  { method }: PlainRequest,
  answer: () => PlainResponse | Promise<PlainResponse>,
): PlainResponse | Promise<PlainResponse> {
  const fail = (error: unknown) => toFailureResponse(error, method)
  try {
    const reply = answer()
    return reply instanceof Promise ? reply.catch(fail) : reply
  } catch (error) {
    return fail(error)
  }
}

const STRANGERS: readonly ErrorCode[] = ['MISDIRECTED_REQUEST', 'FORBIDDEN_ORIGIN', 'UNAUTHORIZED']

/** Node's parser lets through a few requests that another reader could read differently, and any number of headers. */
function checkFraming({ httpVersion, headers, rawHeaders }: IncomingMessage, maxHeaders: number): void {
  const count = rawHeaders.length / 2
  if (count > maxHeaders) {
    throw new ApiError('HEADERS_TOO_LARGE', `the request has ${count} headers, and at most ${maxHeaders} are taken`)
  }
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw new ApiError('VERSION_NOT_SUPPORTED', `HTTP/${httpVersion} is not spoken here: send HTTP/1.1`)
  }
  const coding = headers['transfer-encoding']
  if (coding === undefined) return
  if (!/(?:^|[ \t,])chunked[ \t]*$/i.test(coding)) {
    throw new ApiError('BAD_REQUEST', `the last Transfer-Encoding must be chunked, but this is ${quote(coding)}`)
  }
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
