import { type HttpHandler, http } from 'msw'
import { callUserFunction } from '../../engine/control/unreported-errors.js'
import { connectionReset, respond as respondTo } from '../../engine/fetch/respond.js'
import type { BaseAddresses } from '../../http/base-address.js'
import { MockError } from '../../http/errors.js'
import { type Limits, maxBodyBytesFor } from '../../http/limits.js'
import type { HandleOptions, Outcome, PlainRequest, PlainResponse } from '../../http/messages.js'
import { andThen, describeValue, isError } from '../../lib/functions.js'

/** A mock of any service, as far as it responds to requests. */
interface RespondingMock {
  readonly ready: Promise<void>
  readonly options: Limits
  handle(request: PlainRequest, options?: HandleOptions): Outcome | Promise<Outcome>
}

/** A mock and the addresses whose requests it handles. */
export interface MockEndpoint {
  readonly mock: RespondingMock
  readonly addresses: BaseAddresses
  /** May change a request before the mock handles it. */
  prepare?(request: PlainRequest): PlainRequest
  /** Called with the body of a response before msw gets it. */
  onBody?(body: ReadableStream<Uint8Array>): void
  /** Records an error for the mock's `check`. */
  reportError(error: unknown): void
}

interface HandlerDependencies {
  /** Default: requests with an endpoint. */
  matches?(request: Request): boolean
  /** Throws to make a request fail. */
  findEndpoint(request: Request): MockEndpoint | undefined
  /** Called with the reason whenever a request fails because the mock was misused. */
  onError?(error: unknown): void
}

/** Creates one msw handler for all operations: msw tries its handlers one by one, and the mock has its own router. */
export function createHandler({ findEndpoint, matches, onError = () => {} }: HandlerDependencies): HttpHandler {
  const isMatch = matches ?? ((request) => findEndpoint(request) !== undefined)
  try {
    return http.all(
      ({ request }) => isMatch(request),
      ({ request }) => {
        if (started.has(request)) return neverRespond()
        started.add(request)
        return respondToMsw(findEndpoint, request, onError)
      },
    )
  } catch (cause) {
    // An msw without functions as predicates treats this one as a text.
    if (!(cause instanceof TypeError)) throw cause
    const message = 'The installed msw is too old: petstore-mock needs msw 2.15 or newer. Run: npm install msw@latest'
    throw Object.assign(new MockError('UNSUPPORTED_MSW', message), { cause })
  }
}

/** With two servers listening, msw 2 calls its handlers twice for one request; the first call responds. */
const started = new WeakSet<Request>()
const neverRespond = () => new Promise<Response>(() => {})

/**
 * Returns an error response if a fault breaks the connection. Rejects if the signal is aborted or the mock was misused.
 * `adapt` may change a response before it is delivered.
 */
export async function respond(
  { mock, addresses, prepare = (plain) => plain, reportError }: MockEndpoint,
  request: Request,
  { signal, adapt = (response) => response }: Pick<Client, 'signal' | 'adapt'>,
): Promise<Response> {
  // If this failed, the response says why.
  await mock.ready.catch(() => {})
  const handle: RespondingMock['handle'] = (plain, options) =>
    andThen(mock.handle(prepare(plain), options), ({ response, trace }) => ({ response: adapt(response), trace }))
  const maxBodyBytes = (path: string) => maxBodyBytesFor(path, mock.options)
  const base = addresses.find(request.url)?.path ?? ''
  return respondTo({ handle, maxBodyBytes, reportError }, request, { base, signal })
}

async function respondToMsw(
  findEndpoint: HandlerDependencies['findEndpoint'],
  request: Request,
  onError: (error: unknown) => void,
): Promise<Response | undefined> {
  const client = identifyClient(request)
  let endpoint: MockEndpoint | undefined
  try {
    endpoint = findEndpoint(request)
    const response = endpoint && (await respond(endpoint, request, client))
    if (response?.body) endpoint?.onBody?.(response.body)
    return response?.type === 'error' ? client.reset() : response
  } catch (error) {
    if (endpoint && !client.signal.aborted) callUserFunction('onError', () => onError(error), endpoint.reportError)
    return toNetworkError(error)
  }
}

/** The client of a request, as far as msw treats clients differently. */
interface Client {
  /** Aborted when the client gives up. */
  readonly signal: AbortSignal
  adapt?(response: PlainResponse): PlainResponse
  /** Breaks the connection. */
  reset(): Response
}

/** msw 2 turns every request into a `Request` and stores the original under a symbol. */
function identifyClient(request: Request): Client {
  const symbol = Object.getOwnPropertySymbols(request).find(({ description }) => description === 'kRawRequest')
  const raw: unknown = symbol && Reflect.get(request, symbol)
  const client: Client = { signal: request.signal, reset: () => toNetworkError(connectionReset()) }
  if (typeof raw !== 'object' || raw === null) return client
  if ('responseText' in raw) return { ...client, adapt: resetInsteadOfTruncating }
  return 'once' in raw ? toNodeClient(raw as NodeRequest) : client
}

/** With msw 2, an `XMLHttpRequest` with a truncated body never ends. It would not show the partial body anyway. */
function resetInsteadOfTruncating(response: PlainResponse): PlainResponse {
  return response.delivery?.kind === 'truncate' ? { ...response, delivery: { kind: 'reset' } } : response
}

interface NodeRequest {
  readonly destroyed: boolean
  once(event: 'close', listener: () => void): void
  destroy(error: Error): void
}

/** For node:http, msw 2 does not abort the signal, and reports every network error without a code. */
function toNodeClient(request: NodeRequest): Client {
  const closed = new AbortController()
  // In Jest, the default reason is no instance of the `Error` that msw knows, and msw throws it where nobody can catch it.
  const abort = () => closed.abort(connectionReset())
  if (request.destroyed) abort()
  request.once('close', abort)
  return {
    signal: closed.signal,
    reset() {
      request.destroy(connectionReset())
      return Response.error()
    },
  }
}

/**
 * Makes the client's call fail as it would offline, with the reason as its cause; the mock's `check` throws it too. msw
 * would print an error that is thrown, and some versions respond 500 with its stack.
 */
function toNetworkError(error: unknown): Response {
  const { name, message, code } = (isError(error) ? error : new Error(describeValue(error))) as Error & {
    code?: string
  }
  const details = { name, message, ...(code !== undefined && { code }) }
  // Without toJSON a test runner that prints the cause would list every property of a Response.
  return Object.assign(Response.error(), { ...details, toJSON: () => details })
}
