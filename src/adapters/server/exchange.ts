import type { ServerResponse } from 'node:http'
import { toErrorOutcome, toFailureOutcome } from '../../document/contract/error-drafts.js'
import { callUserFunction } from '../../engine/control/unreported-errors.js'
import { hideInQuery } from '../../engine/log/journal-entry.js'
import { sendingMs } from '../../engine/rules/apply-fault.js'
import { toRoutedLocation } from '../../http/base-address.js'
import { ApiError } from '../../http/errors.js'
import { toHeaderPairs } from '../../http/headers.js'
import { maxBodyBytesFor } from '../../http/limits.js'
import type { Outcome, PlainRequest, PlainResponse } from '../../http/messages.js'
import { checkExpectHeader } from '../../http/negotiation.js'
import { machineDate, monotonicTime } from '../../lib/clock.js'
import { andThen } from '../../lib/functions.js'
import type { Carrier } from './carrier.js'
import type { Connections } from './connections.js'
import { type CorsOrigin, corsHeaders, isPreflight, PREFLIGHT } from './cors.js'
import type { Guard } from './guard.js'
import type { ServerSettings } from './options.js'
import {
  type CheckFraming,
  parseTarget,
  type RequestTarget,
  readBody,
  readPrefix,
  type ServerRequest,
  toPlainRequest,
} from './read-request.js'
import type { Served } from './served.js'
import type { UnreadResponses } from './unread-responses.js'
import { ClientConnection, writeResponse } from './write-response.js'

/** The types whose responses no browser runs as a page. Two types in one header are not among them. */
const INERT = /^(?:application\/(?:json|yaml|octet-stream)|text\/(?:plain|event-stream))(?:;[^,]*)?$/i

/**
 * Keeps browsers from running scripts of a raw override or of the upstream. They would run in the origin of the mock, where they
 * could use its admin API, and an override may come from a reproduction that was received.
 */
function withoutScripts(outcome: Outcome): Outcome {
  const { headers } = outcome.response
  const { 'Content-Type': type, 'Content-Security-Policy': policy } = headers
  // Without a type, browsers guess one. What has neither a body nor a policy leaves a stored page, and its policy, as they are.
  if (type === undefined ? policy === undefined && isEmpty(outcome.response) : INERT.test(type)) return outcome
  const sandboxed = {
    ...headers,
    // Browsers apply every policy of a list.
    'Content-Security-Policy': policy === undefined ? 'sandbox' : `${policy}, sandbox`,
    'X-Content-Type-Options': 'nosniff',
  }
  return { ...outcome, response: { ...outcome.response, headers: sandboxed } }
}

function isEmpty({ body, bytes, stream }: PlainResponse): boolean {
  return stream === undefined && (body ?? bytes ?? '').length === 0
}

export interface ExchangeOptions {
  readonly served: Served
  readonly guard: Guard
  readonly connections: Connections
  readonly unread: UnreadResponses
  /** Aborted when the server closes. */
  readonly closing: AbortSignal
  readonly settings: ServerSettings
}

/** What depends on the version of HTTP. */
export interface HttpVersion {
  readonly checkFraming: CheckFraming
  readonly carrier: Carrier
}

export type Exchange = ReturnType<typeof createExchange>

/**
 * The path of one request through the server: it is checked and read, the mock handles it, the response is written. No
 * promises unless the mock returns one: they would make each request slower.
 */
export function createExchange(options: ExchangeOptions, { checkFraming, carrier }: HttpVersion) {
  const { served, guard, connections, unread, closing, settings } = options
  const { onRequest, idleTimeoutMs } = settings
  const writeOptions = { carrier, idleTimeoutMs, unread, closing }

  /** Calls `ended` when the response is being sent. */
  function exchange(request: ServerRequest, response: ServerResponse, ended: () => void): void {
    const startedAt = onRequest ? monotonicTime.now() : 0
    const target = parseTarget(request.url ?? '', served.path)
    const incoming: Incoming = { request, target, response, ended, startedAt, corsOrigin: undefined }
    let base: string
    try {
      checkFraming(request, settings)
      incoming.corsOrigin = guard(request, target)
      checkExpectHeader(request.headers.expect)
      base = readPrefix(request, target) + (target.routed ? '' : served.path)
    } catch (error) {
      finish(incoming, reject(error, request), !canContinueAfter(error, request))
      return
    }
    readBody(request, response, maxBodyBytesFor(target.path, served.mock.options), (body, isComplete) => {
      const outcome = isCorsPreflight(incoming)
        ? PREFLIGHT
        : handle(toPlainRequest(request, target, base, body), response)
      void andThen(outcome, (settled) => finish(incoming, settled, !isComplete))
    })
  }

  function reject(error: unknown, { method = '' }: ServerRequest): Outcome {
    if (error instanceof ApiError) return toErrorOutcome(error)
    served.reportError(error)
    return toFailureOutcome(error, method)
  }

  /** A bug of the mock becomes a 500: it must not end the server. */
  function handle(request: PlainRequest, response: ServerResponse): Outcome | Promise<Outcome> {
    const fail = (error: unknown) => toFailureOutcome(error, request.method)
    try {
      const page = served.pages(request)
      if (page) return page
      const outcome =
        served.mcp(request) ?? served.mock.handle(request, new ClientConnection(response, writeOptions, request))
      return outcome instanceof Promise ? outcome.then(withoutScripts, fail) : withoutScripts(outcome)
    } catch (error) {
      return fail(error)
    }
  }

  function finish(incoming: Incoming, outcome: Outcome, close: boolean): void {
    const { request, target, startedAt } = incoming
    // Node's parser drops bytes that arrive together with a request to upgrade, so the client must send them again.
    const isLast = close || closing.aborted || request.headers.upgrade !== undefined
    if (isLast) connections.stopReading(request.socket)
    const { response, trace } = send(incoming, outcome, isLast)
    incoming.ended()
    if (onRequest === undefined) return
    const record = {
      at: new Date(machineDate.now()).toISOString(),
      method: request.method ?? '',
      target: hideInQuery(target.url, served.keyNames),
      service: served.name,
      sandbox: trace.sandbox,
      isNewSandbox: trace.isNewSandbox,
      evictedSandbox: trace.evictedSandbox,
      operation: trace.operation,
      status: response.status,
      code: trace.code,
      violations: trace.violations,
      upstream: trace.upstream,
      fault: trace.fault,
      durationMs: monotonicTime.now() - startedAt + sendingMs(response),
      failure: trace.failure ?? trace.misuse,
    }
    callUserFunction('onRequest', () => onRequest(record), served.reportError)
  }

  /** Returns what was sent: a response that cannot be written becomes a 500 or, if its head was sent, a broken connection. */
  function send(incoming: Incoming, outcome: Outcome, isLast: boolean): Outcome {
    const { request, response } = incoming
    try {
      write(incoming, outcome.response, isLast)
      return outcome
    } catch (error) {
      served.reportError(error)
      if (response.headersSent) {
        response.destroy()
        return { response: outcome.response, trace: { ...outcome.trace, failure: error } }
      }
      // Node has stored the status message of the response that it failed to write.
      response.statusMessage = ''
      const failed = toFailureOutcome(error, request.method ?? '')
      write(incoming, failed.response, isLast)
      return { response: failed.response, trace: { ...outcome.trace, ...failed.trace } }
    }
  }

  function write(incoming: Incoming, plain: PlainResponse, isLast: boolean): void {
    const { request, response, corsOrigin } = incoming
    let headers = redirectedHeaders(incoming, plain, served.path)
    if (corsOrigin !== undefined) headers = { ...headers, ...corsHeaders(request, corsOrigin, headers) }
    if (isLast) headers = { ...headers, Connection: 'close' }
    const sent = 'Set-Cookie' in headers ? toHeaderPairs(headers).flat() : headers
    writeResponse(response, plain, sent, writeOptions)
  }

  return exchange
}

interface Incoming {
  readonly request: ServerRequest
  readonly target: RequestTarget
  readonly response: ServerResponse
  readonly ended: () => void
  readonly startedAt: number
  /** The page's origin, if CORS headers let it read the response. */
  corsOrigin: CorsOrigin | undefined
}

/** The headers of a response. Those of a redirect lead to the same sandbox. */
function redirectedHeaders(
  { target: { routed } }: Incoming,
  { status, headers }: PlainResponse,
  servicePath: string,
): PlainResponse['headers'] {
  if (routed === undefined || status < 300 || status > 399) return headers
  const pairs = Object.entries(headers).map(([name, value]) => [
    name,
    name.toLowerCase() === 'location' ? toRoutedLocation(routed, value, servicePath) : value,
  ])
  return Object.fromEntries(pairs)
}

/** A preflight is not a request for the mock: it is not in the journal, and no fault applies to it. */
function isCorsPreflight({ request, corsOrigin }: Incoming): boolean {
  return corsOrigin !== undefined && isPreflight(request)
}

/** Whether the next bytes on the connection are certain to be a new request, not part of the rejected one. */
function canContinueAfter(error: unknown, { headers }: ServerRequest): boolean {
  return error instanceof ApiError && GUARD_ERRORS.includes(error.code) && headers.expect === undefined
}

const GUARD_ERRORS: readonly string[] = ['MISDIRECTED_REQUEST', 'FORBIDDEN_ORIGIN', 'UNAUTHORIZED']
