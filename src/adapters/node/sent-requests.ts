import { AsyncLocalStorage } from 'node:async_hooks'
import { type CallSite, captureCallSite } from './call-sites.js'

/** A request that code in this process has sent, and what became of it. */
export interface SentRequest {
  /** Where it was sent. */
  readonly callSite: CallSite
  /** Whether it was sent with the global fetch. */
  readonly isFetch: boolean
  /** Whether the mock could have responded. */
  isIntercepted: boolean
  /** Whether the mock has let it through to the network. */
  isPassedOn: boolean
  hasResponse: boolean
  readonly onResponse: (() => void)[]
}

/** A function that sends a request. */
interface Sending {
  /** Its own frames, and those of the functions that it calls, are left out of the call site. */
  readonly callee: (...args: never) => unknown
  readonly isFetch?: boolean
}

/** The request that is being sent. Whether to intercept it is decided later, when its sender is no longer on the stack. */
const current = new AsyncLocalStorage<SentRequest>()

/** Deep enough for the caller of a library that sends requests. */
const CALL_SITE_FRAMES = 40

/** Runs code that sends a request, or decides whether to intercept it. */
export function runAsRequest<T>({ callee, isFetch = false }: Sending, send: (request: SentRequest) => T): T {
  const request: SentRequest = {
    callSite: captureCallSite(callee, CALL_SITE_FRAMES),
    isFetch,
    isIntercepted: false,
    isPassedOn: false,
    hasResponse: false,
    onResponse: [],
  }
  return current.run(request, send, request)
}

export function currentRequest(): SentRequest | undefined {
  return current.getStore()
}

/** The frames of the code that sent the current request, as in an error's `stack`. */
export function currentCallSite(): string | undefined {
  const stack = current.getStore()?.callSite.stack
  return stack?.slice(stack.indexOf('\n') + 1)
}

/** Call this for each request that the mock could respond to. */
export function markIntercepted(): void {
  const request = current.getStore()
  if (request !== undefined) request.isIntercepted = true
}

/** Call this for each request that the mock lets through to the network. */
export function markPassedOn(): void {
  const request = current.getStore()
  if (request !== undefined) request.isPassedOn = true
}

/** Call this when a request gets a response, from the mock or not. */
export function markAnswered(request: SentRequest): void {
  request.hasResponse = true
  for (const act of request.onResponse.splice(0)) act()
}

/** Calls a function when the current request gets a response; at once if it already has one, never outside of a request. */
export function whenAnswered(act: () => void): void {
  const request = current.getStore()
  if (request?.hasResponse) act()
  else request?.onResponse.push(act)
}
