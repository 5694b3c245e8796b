import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import http from 'node:http'
import https from 'node:https'
import { type CallSite, captureCallSite } from './call-sites.js'

/** A call that sends a request. */
interface Sender {
  readonly callSite: CallSite
  /** Whether the mock could have responded. */
  isIntercepted: boolean
  hasResponse: boolean
  readonly onResponse: (() => void)[]
}

const senders = new AsyncLocalStorage<Sender>()
const sendersOfNode = new WeakMap<object, Sender>()

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
    wrap(globalThis, 'fetch', (sender, { args: [input], returned }) => {
      const onResponse = () => {
        if (!sender.isIntercepted) onMissed(input instanceof Request ? input.url : String(input))
        answer(sender)
      }
      void (returned as Promise<unknown>).then(onResponse, () => {})
    }),
    ...[http, https].flatMap((module) => [wrap(module, 'request', watchNode), wrap(module, 'get', watchNode)]),
    ...(XMLHttpRequest ? [wrap(XMLHttpRequest.prototype, 'send', watchXhr)] : []),
  ]
  return () => {
    for (const restore of restores) restore()
    unsubscribe(RESPONSE_CHANNEL, onNodeResponse)
  }
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

/** Calls a function when the current request gets a response; at once if it already has one. */
export function whenAnswered(act: () => void): void {
  const sender = senders.getStore()
  if (sender?.hasResponse) act()
  else sender?.onResponse.push(act)
}

/** Runs code that sends a request. The frames of `callee` and of what it calls are left out. */
export function runAsSender<T>(callee: (...args: never) => unknown, send: () => T): T {
  return senders.run(createSender(callee), send)
}

function createSender(callee: (...args: never) => unknown): Sender {
  return { callSite: captureCallSite(callee), isIntercepted: false, hasResponse: false, onResponse: [] }
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

function wrap(owner: object, name: string, watch: (sender: Sender, call: Call) => void): () => void {
  const original: unknown = Reflect.get(owner, name)
  const descriptor = Object.getOwnPropertyDescriptor(owner, name)
  if (typeof original !== 'function' || !descriptor?.writable) return () => {}
  function wrapped(this: unknown, ...args: unknown[]): unknown {
    const sender = createSender(wrapped)
    const returned: unknown = senders.run(sender, () => Reflect.apply(original as () => unknown, this, args))
    watch(sender, { self: this, args, returned })
    return returned
  }
  Object.defineProperty(owner, name, { ...descriptor, value: wrapped })
  return () => {
    if (Reflect.get(owner, name) === wrapped) Object.defineProperty(owner, name, descriptor)
  }
}
