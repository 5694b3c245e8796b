import { wait } from '../../lib/clock.js'
import type { PlainRequest, PlainResponse, Waiting } from '../contract/messages.js'
import { toFailureResponse } from '../contract/render.js'
import { MAX_WAITING_BYTES } from '../control/limits.js'
import { readStream } from './body-stream.js'
import { toRequest, toSimpleRequest } from './simple-request.js'

/** Whoever answers plain requests, and how much of a body is read for them. */
export interface Answering {
  handle(request: PlainRequest, waiting?: Waiting): PlainResponse | Promise<PlainResponse>
  mostBytes(path: string): number
  /** Makes the test hear of a response that cannot be written. */
  reportError(error: unknown): void
}

/** The in-memory adapter: takes what `fetch` takes, with a path alone allowed as the address. */
export function createFetch(answering: Answering, ready: Promise<void>) {
  /** Where it failed, the answer says why. */
  const settled = ready.catch(() => {})

  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const simple = toSimpleRequest(input, init)
    const request = simple === undefined ? toRequest(input, init) : undefined
    // Also where it is there already: nothing happens before the caller goes on, who may abort at once.
    await settled
    const response = await (request === undefined
      ? answerSimple(answering, simple as PlainRequest, () => toRequest(input))
      : answerRequest(answering, request, { base: '', body: init?.body }))
    if (response.type !== 'error') return response
    // As Node's fetch says it.
    throw new TypeError('fetch failed', { cause: connectionReset() })
  }
}

/** A request is only made for an answer that has to hold on to one; its options may be others by then. */
async function answerSimple(answering: Answering, simple: PlainRequest, toRequest: () => Request): Promise<Response> {
  const answer = answering.handle(simple)
  const response = answer instanceof Promise ? await answer : answer
  if (response.misuse !== undefined) throw response.misuse
  return writeOrFail(answering, simple.method, () => {
    if (response.stream === undefined && response.delivery === undefined) return toWhole(response)
    const request = toRequest()
    return toResponse(response, { request, signal: request.signal })
  })
}

/** What cannot be written is answered 500. */
function writeOrFail({ reportError }: Answering, method: string, write: () => Response | Promise<Response>) {
  try {
    return write()
  } catch (error) {
    reportError(error)
    return toWhole(toFailureResponse(error, method))
  }
}

/** What Node tells a client whose connection was broken. */
export function connectionReset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', errno: -104, syscall: 'read' })
}

/** What is known of a request besides what it says itself. */
interface Circumstances {
  /** The path of the base address. */
  readonly base: string
  /** What its body was made of. */
  readonly body?: RequestInit['body'] | undefined
  /** Who may give up; the request's own signal where that is all there is. */
  readonly signal?: AbortSignal
}

/**
 * Answers a request at a base address. Rejects as `fetch` does when the request is aborted, and with
 * what a test did wrong where it misused the mock. A connection that a fault breaks is an error response.
 */
export async function answerRequest(
  answering: Answering,
  request: Request,
  { base, body, signal = request.signal }: Circumstances,
): Promise<Response> {
  const { handle, mostBytes } = answering
  signal.throwIfAborted()
  const { pathname, search } = new URL(request.url)
  const path = pathname.slice(base.length)
  const plain: PlainRequest = {
    method: request.method,
    path,
    query: search.slice(1),
    base,
    headers: Object.fromEntries(request.headers),
    ...(request.body !== null && { body: await readBody(request, body, mostBytes(path), signal) }),
  }
  signal.throwIfAborted()
  const answer = handle(plain, { signal })
  const response = answer instanceof Promise ? await unlessAborted(answer, signal) : answer
  if (response.misuse !== undefined) throw response.misuse
  return writeOrFail(answering, request.method, () => toResponse(response, { request, signal }))
}

/** Whoever asked. A request that nothing holds on to is not told that it was aborted, so it comes along. */
interface Caller {
  readonly request: Request
  readonly signal: AbortSignal
}

async function readBody(
  request: Request,
  given: RequestInit['body'],
  most: number,
  signal: AbortSignal,
): Promise<NonNullable<PlainRequest['body']>> {
  // As it is there already, it need not be read out of a stream.
  if (typeof given === 'string') return encoder.encode(given)
  if (request.body) return readStream(request.body, most, signal)
  // Not every browser shows the stream.
  return new Uint8Array(await request.arrayBuffer())
}

const encoder = new TextEncoder()

/** The answer still comes about, but nobody waits for it. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

function toResponse(response: PlainResponse, caller: Caller): Response | Promise<Response> {
  const { status, headers, body, stream, delivery } = response
  const init = { status, headers }
  if (stream !== undefined) return new Response(toEndless(stream, caller), init)
  switch (delivery?.kind) {
    case 'reset':
      return Response.error()
    case 'timeout':
      return neverAnswered(caller)
    case 'truncate':
      return new Response(
        toStream(() => truncated(body), caller),
        init,
      )
    case 'slow':
      return new Response(
        toStream((gone) => dripped(body, delivery.overMs, gone), caller),
        init,
      )
    default:
      return toWhole(response)
  }
}

function toWhole({ status, headers, body }: PlainResponse): Response {
  return new Response(body ?? null, { status, headers })
}

/** Nothing else holds on to those whose answer nobody works on. */
const unanswered = new Set<Caller>()

/**
 * A real connection would keep the process alive, and with it the timer of `AbortSignal.timeout`, which does not do so by
 * itself. For a minute, so that a call that nobody ends does not keep a process from ending for good.
 */
const STAY_ALIVE_MS = 60_000

function neverAnswered(caller: Caller): Promise<never> {
  unanswered.add(caller)
  void wait(STAY_ALIVE_MS, caller.signal)
  return unlessAborted(new Promise<never>(() => {}), caller.signal).finally(() => unanswered.delete(caller))
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

/** The first half, and then a connection that is no more, as Node's fetch says it. */
async function* truncated(body = ''): AsyncGenerator<Uint8Array> {
  const bytes = encoder.encode(body)
  yield bytes.subarray(0, Math.floor(bytes.length / 2))
  // What breaks at once may take along what is still on its way.
  await wait(1)
  const cause = Object.assign(new Error('other side closed'), { name: 'SocketError', code: 'UND_ERR_SOCKET' })
  throw new TypeError('terminated', { cause })
}

/** Into how many parts a slow body is cut; at more than these a socket of msw's warns of its many listeners. */
const MAX_DROPS = 8

/** A body in parts, with pauses between them, until nobody waits any more. It ends with its last byte, as others do. */
export async function* dripped(body = '', overMs: number, gone: AbortSignal): AsyncGenerator<Uint8Array> {
  const bytes = encoder.encode(body)
  const drops = Math.min(MAX_DROPS, bytes.length)
  for (let drop = 0; drop < drops; drop++) {
    if (drop > 0) await wait(overMs / (drops - 1), gone)
    if (gone.aborted) return
    const [from, to] = [drop, drop + 1].map((index) => Math.floor((bytes.length * index) / drops))
    yield bytes.subarray(from, to)
  }
}

/** A body as its parts come. It fails when the request is aborted, and no part is made that nobody will read. */
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
