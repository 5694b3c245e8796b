import { toFailureOutcome } from '../../document/contract/error-drafts.js'
import { toHeaderPairs } from '../../http/headers.js'
import type { HandleOptions, Outcome, PlainRequest, PlainResponse } from '../../http/messages.js'
import { reasonOfStatus } from '../../http/statuses.js'
import { wait } from '../../lib/clock.js'
import { type Caller, readStream, toBody } from './response-body.js'

/** Handles plain requests; `maxBodyBytes` says how much of a body to read for a path. */
export interface RequestHandler {
  handle(request: PlainRequest, options?: HandleOptions): Outcome | Promise<Outcome>
  maxBodyBytes(path: string): number
  /** Adds an error for `check` to throw. */
  reportError(error: unknown): void
}

interface RespondOptions {
  /** The path of the base address. */
  readonly base: string
  /** The body that the request was made with, if known. */
  readonly body?: RequestInit['body'] | undefined
  /** Aborted when the client gives up. Default: the request's own signal. */
  readonly signal?: AbortSignal
}

/**
 * Responds to a request at a base address. Rejects when the request is aborted, like `fetch`, and when a test misused the
 * mock. A connection reset by a fault is an error response.
 */
export async function respond(
  handler: RequestHandler,
  request: Request,
  { base, body, signal = request.signal }: RespondOptions,
): Promise<Response> {
  const { handle, maxBodyBytes, reportError } = handler
  signal.throwIfAborted()
  const { pathname, search } = new URL(request.url)
  const path = pathname.slice(base.length) || '/'
  const plain: PlainRequest = {
    method: request.method,
    path,
    query: search.slice(1),
    base,
    headers: toPlainHeaders(request.headers),
    ...(request.body !== null && { body: await readBody(request, body, maxBodyBytes(path), signal) }),
  }
  signal.throwIfAborted()
  const outcome = handle(plain, { signal })
  const { response, trace } = outcome instanceof Promise ? await unlessAborted(outcome, signal) : outcome
  // An override or an event listener may have aborted the request.
  signal.throwIfAborted()
  if (trace.misuse !== undefined) throw trace.misuse
  try {
    return toResponse(response, { request, signal })
  } catch (error) {
    // An override's response that the platform rejects.
    reportError(error)
    return toResponse(toFailureOutcome(error, request.method).response, { request, signal })
  }
}

/** happy-dom's `Headers` does not lower-case names. */
function toPlainHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), value]))
}

async function readBody(
  request: Request,
  given: RequestInit['body'],
  max: number,
  signal: AbortSignal,
): Promise<NonNullable<PlainRequest['body']>> {
  // Faster than reading it back from a stream.
  if (typeof given === 'string') return encoder.encode(given)
  if (request.body) return readStream(request.body, max, signal)
  // Not every browser has request.body.
  return new Uint8Array(await request.arrayBuffer())
}

const encoder = new TextEncoder()

function toResponse(response: PlainResponse, caller: Caller): Response | Promise<Response> {
  const { status, headers, delivery } = response
  if (delivery?.kind === 'reset') return Response.error()
  if (delivery?.kind === 'timeout') return neverRespond(caller)
  const init = { status, statusText: reasonOfStatus(status), headers: toHeaderPairs(headers) }
  return new Response(toBody(response, caller), init)
}

/** Keeps callers from being garbage collected while they wait forever. */
const waiting = new Set<Caller>()

/**
 * A real connection would keep the process alive until the client gives up, which `AbortSignal.timeout` alone does not. For
 * a minute only, so that a call without a time-out does not keep the process alive forever.
 */
const STAY_ALIVE_MS = 60_000

function neverRespond(caller: Caller): Promise<never> {
  waiting.add(caller)
  void wait(STAY_ALIVE_MS, caller.signal)
  return unlessAborted(new Promise<never>(() => {}), caller.signal).finally(() => waiting.delete(caller))
}

/** Rejects as soon as the signal is aborted. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** The error of a Node client whose connection was reset. */
export function connectionReset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', errno: -104, syscall: 'read' })
}
