import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, apiError } from '../../engine/contract/errors.js'
import type { Handled, PlainRequest, PlainResponse, RequestHeaders } from '../../engine/contract/messages.js'
import { checkExpectation } from '../../engine/contract/negotiation.js'
import { handleError, handleFailure } from '../../engine/contract/render.js'
import { callUserFunction } from '../../engine/control/unreported-errors.js'
import { maxBodyBytesFor } from '../../engine/limits.js'
import { monotonicTime } from '../../lib/clock.js'
import { quote } from '../../lib/quote.js'
import type { Petstore } from '../../petstore/create-petstore.js'
import { corsHeaders } from './cors.js'
import { Client, deliver } from './deliver.js'
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
  /** Makes the test hear of something. */
  readonly reportError: (error: unknown) => void
  /** Whether the connection is to end with the answer. */
  readonly isClosing: () => boolean
  readonly limits: ServerLimits
  /** Told of a connection whose last answer is being written. */
  readonly onLast: (socket: Socket) => void
}

/** Carries requests in and their answers out. */
export function createExchange(options: ExchangeOptions) {
  const { petstore, guard, pages, onRequest, reportError, isClosing, limits, onLast } = options
  /** What ends the answers that go on by themselves. */
  const ends = new Set<() => void>()
  const delivering = { ends, idleTimeoutMs: limits.idleTimeoutMs }

  /** `answered` is called with the answer on its way. */
  function exchange(request: IncomingMessage, response: ServerResponse, answered: () => void): void {
    const incoming: Incoming = {
      request,
      response,
      answered,
      target: parseTarget(request.url ?? ''),
      visitor: NOBODY,
      startedAt: onRequest ? monotonicTime.now() : 0,
    }
    const { expect: expected } = request.headers
    try {
      checkFraming(request, limits.maxHeaders)
      incoming.visitor = guard(request, incoming.target)
      checkExpectation(expected)
      if (hasBody(request)) receive(incoming, expected !== undefined)
      else answer(incoming, undefined, false)
    } catch (error) {
      if (!(error instanceof ApiError)) {
        reportError(error)
        write(incoming, handleFailure(error, request.method ?? ''), true)
        return
      }
      // Unless it is only a stranger who asks, what follows on the connection may belong to what was refused.
      write(incoming, handleError(error), expected !== undefined || !STRANGERS.includes(error.code))
    }
  }

  function receive(incoming: Incoming, waitsForWord: boolean): void {
    const { request, response, target } = incoming
    const mostRead = maxBodyBytesFor(target.path, petstore.options)
    if (waitsForWord && Number(request.headers['content-length'] ?? 0) > mostRead) {
      answer(incoming, 'too large', true)
      return
    }
    if (waitsForWord) response.writeContinue()
    readBody(request, mostRead, (body, readAll) => answer(incoming, body, !readAll))
  }

  function answer(incoming: Incoming, body: PlainRequest['body'], close: boolean): void {
    const asked = toPlainRequest(incoming.request, incoming.target, body)
    const reply = attempt(asked, incoming.response)
    if (reply instanceof Promise) void reply.then((settled) => write(incoming, settled, close))
    else write(incoming, reply, close)
  }

  /** Whatever fails in the mock itself is an answer too: one request does not end the server of all. */
  function attempt(asked: PlainRequest, response: ServerResponse): Handled | Promise<Handled> {
    try {
      const page = pages(asked)
      if (page !== undefined) return page
      const handled = petstore.handle(asked, new Client(response))
      if (!(handled instanceof Promise)) return handled
      return handled.catch((error) => handleFailure(error, asked.method))
    } catch (error) {
      return handleFailure(error, asked.method)
    }
  }

  function write(incoming: Incoming, handled: Handled, close: boolean): void {
    const { request, startedAt } = incoming
    const isLast = close || isClosing()
    if (isLast) onLast(request.socket)
    const { response, trace } = send(incoming, handled, isLast)
    incoming.answered()
    if (onRequest === undefined) return
    const record: RequestRecord = {
      method: request.method ?? '',
      target: request.url ?? '',
      operation: trace.operation,
      status: response.status,
      code: trace.code,
      fault: trace.fault,
      durationMs: monotonicTime.now() - startedAt,
      failure: trace.failure ?? trace.misuse,
    }
    callUserFunction('onRequest', () => onRequest(record), reportError)
  }

  /**
   * What cannot be written becomes a 500 or, where a part of it is out, a closed connection: one response does not end the
   * server of all. Returns what was sent.
   */
  function send(incoming: Incoming, handled: Handled, isLast: boolean): Handled {
    const { request, response, visitor } = incoming
    const deliverReadable = (sent: Handled) => {
      const readable = withCors(request, visitor, sent.response)
      deliver(response, isLast ? withHeaders(readable, { Connection: 'close' }) : readable, delivering)
      return sent
    }
    try {
      return deliverReadable(handled)
    } catch (error) {
      reportError(error)
      if (response.headersSent) {
        response.destroy()
        return { response: handled.response, trace: { ...handled.trace, failure: error } }
      }
      // Node would keep the words of the status that it did not get to write.
      response.statusMessage = ''
      const failed = handleFailure(error, request.method ?? '')
      return deliverReadable({ response: failed.response, trace: { ...handled.trace, ...failed.trace } })
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

/** A request on its way through the server. */
interface Incoming {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly answered: () => void
  readonly target: ParsedTarget
  visitor: Visitor
  /** Of those who are told how long it took. */
  readonly startedAt: number
}

/** Who asks, as long as that is not known. */
const NOBODY: Visitor = { crossOrigin: undefined }

const STRANGERS: readonly string[] = ['MISDIRECTED_REQUEST', 'FORBIDDEN_ORIGIN', 'UNAUTHORIZED']

/** Node's parser lets through a few requests that another reader could read differently, and any number of headers. */
function checkFraming({ httpVersion, headers, rawHeaders }: IncomingMessage, maxHeaders: number): void {
  const count = rawHeaders.length / 2
  if (count > maxHeaders) {
    throw apiError('HEADERS_TOO_LARGE', `the request has ${count} headers, and at most ${maxHeaders} are taken`)
  }
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw apiError('VERSION_NOT_SUPPORTED', `HTTP/${httpVersion} is not spoken here: send HTTP/1.1`)
  }
  const coding = headers['transfer-encoding']
  if (coding === undefined) return
  if (!/(?:^|[ \t,])chunked[ \t]*$/i.test(coding)) {
    throw apiError('BAD_REQUEST', `the last Transfer-Encoding must be chunked, but this is ${quote(coding)}`)
  }
  if (httpVersion === '1.0') throw apiError('BAD_REQUEST', 'HTTP/1.0 has no Transfer-Encoding: send a Content-Length')
  if (coding.trim().toLowerCase() !== 'chunked') {
    throw apiError(
      'NOT_IMPLEMENTED',
      `the only Transfer-Encoding that is read is chunked, but this is ${quote(coding)}`,
    )
  }
}

function toPlainRequest(request: IncomingMessage, target: ParsedTarget, body: PlainRequest['body']): PlainRequest {
  const method = request.method ?? ''
  const headers = request.headers as RequestHeaders
  const { path, query } = target
  return body === undefined
    ? { method, path, query, base: '', headers }
    : { method, path, query, base: '', headers, body }
}

function withCors(request: IncomingMessage, { crossOrigin }: Visitor, reply: PlainResponse): PlainResponse {
  if (crossOrigin === undefined) return reply
  return withHeaders(reply, corsHeaders(request, crossOrigin, reply.headers.Allow))
}

function withHeaders(reply: PlainResponse, headers: PlainResponse['headers']): PlainResponse {
  return { ...reply, headers: { ...reply.headers, ...headers } }
}
