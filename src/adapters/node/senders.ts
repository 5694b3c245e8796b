import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import http from 'node:http'
import https from 'node:https'
import { type CallSite, captureCallSite } from './call-sites.js'

/** A call that sends a request. */
interface Sender {
  readonly callSite: CallSite
  /** Whether it is a call of the global fetch. */
  readonly isFetch: boolean
  /** Whether the mock could have responded. */
  isIntercepted: boolean
  /** Whether the mock has let the request through to the network. */
  isPassedOn: boolean
  hasResponse: boolean
  readonly onResponse: (() => void)[]
}

const senders = new AsyncLocalStorage<Sender>()
const sendersOfNode = new WeakMap<object, Sender>()

/** Deep enough for the caller of a library that sends requests. */
const SENDER_FRAMES = 40

/** Node reports every response here that a request of node:http gets, before the request's own listeners run. */
const RESPONSE_CHANNEL = 'http.client.response.finish'

/**
 * Remembers the sender of each request: msw decides on it later, when the caller is no longer on the stack. Must be called
 * after msw has started. `onMissed` is called with the URL of a fetch that got a response without being intercepted.
 */
export function recordSenders(onMissed: (url: string) => void): () => void {
  subscribe(RESPONSE_CHANNEL, onNodeResponse)
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: { prototype: object } }
  const restores = [
    recordFetch(onMissed),
    ...[http, https].flatMap((module) => [wrap(module, 'request', watchNode), wrap(module, 'get', watchNode)]),
    ...(XMLHttpRequest ? [wrap(XMLHttpRequest.prototype, 'send', watchXhr)] : []),
  ]
  return () => {
    for (const restore of restores) restore()
    unsubscribe(RESPONSE_CHANNEL, onNodeResponse)
  }
}

/** The same for fetch alone. It may be called before msw starts, which replaces it then. */
export function recordFetch(onMissed: (url: string) => void, willBeReplaced = false): () => void {
  const watch = (sender: Sender, { args: [input], returned }: Call): void => {
    const onResponse = () => {
      if (!sender.isIntercepted) onMissed(input instanceof Request ? input.url : String(input))
      answer(sender)
    }
    void (returned as Promise<unknown>).then(onResponse, () => {})
  }
  return wrap(globalThis, 'fetch', watch, willBeReplaced)
}

/** The frames of the code that sent the current request, as in an error's `stack`. */
export function currentCallSite(): string | undefined {
  const stack = senders.getStore()?.callSite.stack
  return stack?.slice(stack.indexOf('\n') + 1)
}

/** To be called for each request that the mock could respond to. */
export function markIntercepted(): void {
  const sender = senders.getStore()
  if (sender !== undefined) sender.isIntercepted = true
}

/** To be called for each request that the mock lets through to the network. */
export function markPassedOn(): void {
  const sender = senders.getStore()
  if (sender !== undefined) sender.isPassedOn = true
}

/**
 * Whether the current request was sent with the global fetch, and undici may send it: msw 2 has decided on it before, and
 * msw 3 will when the socket opens. The requests of an override are sent in the context of the request that it handles.
 */
export function isLeftToMsw(): boolean {
  const sender = senders.getStore()
  return sender?.isFetch === true && (sender.isPassedOn || !sender.isIntercepted)
}

/** Calls a function when the current request gets a response; at once if it already has one. */
export function whenAnswered(act: () => void): void {
  const sender = senders.getStore()
  if (sender?.hasResponse) act()
  else sender?.onResponse.push(act)
}

/** Runs code that sends a request. The frames of `callee` and of what it calls are left out. */
export function runAsSender<T>(callee: (...args: never) => unknown, send: () => T): T {
  return senders.run(createSender(callee, false), send)
}

function createSender(callee: (...args: never) => unknown, isFetch: boolean): Sender {
  const callSite = captureCallSite(callee, SENDER_FRAMES)
  return { callSite, isFetch, isIntercepted: false, isPassedOn: false, hasResponse: false, onResponse: [] }
}

/** What a function that sends a request was called with, and what it returned. */
interface Call {
  readonly self: unknown
  readonly args: readonly unknown[]
  readonly returned: unknown
}

function watchNode(sender: Sender, { returned }: Call): void {
  sendersOfNode.set(returned as object, sender)
}

function watchXhr(sender: Sender, { self }: Call): void {
  ;(self as EventTarget).addEventListener('load', () => answer(sender), { once: true })
}

function onNodeResponse(message: unknown): void {
  const sender = sendersOfNode.get((message as { request: object }).request)
  if (sender !== undefined) answer(sender)
}

function answer(sender: Sender): void {
  sender.hasResponse = true
  for (const act of sender.onResponse.splice(0)) act()
}

function wrap(
  owner: object,
  name: string,
  watch: (sender: Sender, call: Call) => void,
  willBeReplaced = false,
): () => void {
  const original: unknown = Reflect.get(owner, name)
  const descriptor = Object.getOwnPropertyDescriptor(owner, name)
  if (typeof original !== 'function' || !descriptor?.configurable) return () => {}
  const isFetch = owner === globalThis
  function wrapped(this: unknown, ...args: unknown[]): unknown {
    const sender = createSender(wrapped, isFetch)
    const returned: unknown = senders.run(sender, () => Reflect.apply(original as () => unknown, this, args))
    watch(sender, { self: this, args, returned })
    return returned
  }
  const replace = (value: unknown): void => {
    Object.defineProperty(owner, name, { value, writable: true, enumerable: true, configurable: true })
  }
  let isStopped = false
  // When msw stops, it puts back the property that it found, even if the wrapper is no longer in use.
  const get = () => {
    if (isStopped) Object.defineProperty(owner, name, descriptor)
    return isStopped ? original : wrapped
  }
  if (willBeReplaced) Object.defineProperty(owner, name, { get, set: replace, enumerable: true, configurable: true })
  else replace(wrapped)
  return () => {
    if (Reflect.get(owner, name) === wrapped) Object.defineProperty(owner, name, descriptor)
    isStopped = true
  }
}
