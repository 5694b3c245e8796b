import { wait } from '../../lib/clock.js'
import { nextTurn } from '../../lib/steps.js'
import { toBytes } from '../../lib/utf8.js'
import { reasonOfStatus } from '../contract/http-statuses.js'
import type { HandleOptions, Outcome, PlainRequest, PlainResponse } from '../contract/messages.js'
import { toFailureOutcome } from '../contract/render.js'
import { toHeaderPairs } from '../contract/response-headers.js'
import { MAX_WAITING_BYTES } from '../limits.js'
import { readStream } from './body-stream.js'

/** Handles plain requests; `maxBodyBytes` says how much of a body to read for a path. */
export interface RequestHandler {
  handle(request: PlainRequest, options?: HandleOptions): Outcome | Promise<Outcome>
  maxBodyBytes(path: string): number
  /** Adds an error for `check` to throw. */
  reportError(error: unknown): void
}

/** The origin of a request whose address is a path alone. */
const DEFAULT_ORIGIN = 'http://localhost'

/** The in-memory adapter: accepts what `fetch` accepts, and a path alone. */
export function createFetch(handler: RequestHandler, ready: () => Promise<void>) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = toRequest(input, init)
    // Awaited even when ready: the caller may abort right after this call. When generating the data failed, handling the
    // request throws the reason.
    await ready().catch(() => {})
    const response = await respond(handler, request, { base: '', body: init?.body })
    if (response.type !== 'error') return withUrl(response, request.url)
    // The error of Node's fetch.
    throw new TypeError('fetch failed', { cause: connectionReset() })
  }
}

/** Clients resolve `Location` and `Link` against the URL, which a `Response` has only if it is from the network. */
function withUrl(response: Response, url: string): Response {
  const clone = response.clone.bind(response)
  return Object.defineProperties(response, {
    url: { value: url.replace(/#.*/, '') },
    clone: { value: () => withUrl(clone(), url) },
  })
}

function toRequest(input: string | URL | Request, init?: RequestInit): Request {
  if (input instanceof Request && init === undefined) return input
  // Put in front, not resolved against: `//evil.example/x` is a path here, not another host.
  const isPath = typeof input === 'string' && input.startsWith('/')
  return new Request(isPath ? DEFAULT_ORIGIN + input : input, init)
}

/** The error of a Node client whose connection was reset. */
export function connectionReset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', errno: -104, syscall: 'read' })
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

/** Keeps the request reachable: once it is collected, its signal no longer follows that of its caller. */
interface Caller {
  readonly request: Request
  readonly signal: AbortSignal
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

/** Rejects as soon as the signal is aborted. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

function toResponse(response: PlainResponse, caller: Caller): Response | Promise<Response> {
  const { status, headers, delivery } = response
  if (delivery?.kind === 'reset') return Response.error()
  if (delivery?.kind === 'timeout') return neverRespond(caller)
  const init = { status, statusText: reasonOfStatus(status), headers: toHeaderPairs(headers) }
  return new Response(toBody(response, caller), init)
}

function toBody({ body, bytes, stream, delivery }: PlainResponse, caller: Caller): BodyInit | null {
  if (stream !== undefined) return toEndless(stream, caller)
  if (delivery?.kind === 'truncate') return toStream(() => truncated(toBytes(body ?? bytes)), caller)
  if (delivery?.kind === 'slow')
    return toStream((gone) => sendSlowly(toBytes(body ?? bytes), delivery.overMs, gone), caller)
  return body ?? (bytes as BodyInit | undefined) ?? null
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

function toEndless(stream: NonNullable<PlainResponse['stream']>, caller: Caller): ReadableStream<Uint8Array> {
  let stop = () => {}
  const strategy = { highWaterMark: MAX_WAITING_BYTES, size: ({ length }: Uint8Array) => length }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = () => {
          stop()
          controller.close()
        }
        stop = stream((text) => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(text))
          else end()
        }, end)
        caller.signal.addEventListener('abort', () => {
          stop()
          controller.error(caller.signal.reason)
        })
      },
      cancel: () => stop(),
    },
    strategy,
  )
}

/** The first half of the body, then the error of Node's fetch for a broken connection. */
async function* truncated(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes.subarray(0, Math.floor(bytes.length / 2))
  // An error right after the first half could overtake it. Not a timer, which a test runner can fake.
  await nextTurn()
  const cause = Object.assign(new Error('other side closed'), { name: 'SocketError', code: 'UND_ERR_SOCKET' })
  throw new TypeError('terminated', { cause })
}

/** The parts of a slow body. With more, a socket of msw warns about too many listeners. */
const MAX_PARTS = 8

/** A body in parts with pauses between them, until the client is gone. */
export async function* sendSlowly(bytes: Uint8Array, overMs: number, gone: AbortSignal): AsyncGenerator<Uint8Array> {
  const parts = Math.min(MAX_PARTS, bytes.length)
  for (let part = 0; part < parts; part++) {
    if (part > 0) await wait(overMs / (parts - 1), gone)
    if (gone.aborted) return
    const [from, to] = [part, part + 1].map((index) => Math.floor((bytes.length * index) / parts))
    yield bytes.subarray(from, to)
  }
}

/** A body as a stream. It fails when the request is aborted, and makes no part that will not be read. */
function toStream(make: (gone: AbortSignal) => AsyncGenerator<Uint8Array>, caller: Caller) {
  const end = new AbortController()
  const parts = make(end.signal)
  let fail = () => {}
  const finish = () => {
    caller.signal.removeEventListener('abort', fail)
    end.abort()
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      fail = () => {
        controller.error(caller.signal.reason)
        finish()
      }
      caller.signal.addEventListener('abort', fail)
    },
    async pull(controller) {
      const { done, value } = await parts.next()
      if (end.signal.aborted) return
      if (!done) return controller.enqueue(value)
      finish()
      controller.close()
    },
    cancel: finish,
  })
}
