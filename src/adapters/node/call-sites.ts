import { AsyncLocalStorage } from 'node:async_hooks'
import http from 'node:http'
import https from 'node:https'

/** Deep enough for the caller of a library that sends requests. */
const MAX_FRAMES = 40

/** Where a function was called. The text of `stack` is made when it is read, so capturing it is cheap. */
export interface CallSite {
  readonly stack?: string
}

const callSites = new AsyncLocalStorage<CallSite>()

/**
 * Remembers where each request is sent from: msw decides on it later, when the caller is no longer on the stack. Must be
 * called after msw has started.
 */
export function recordCallSites(): () => void {
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: { prototype: object } }
  const restores = [
    wrap(globalThis, 'fetch'),
    ...[http, https].flatMap((module) => [wrap(module, 'request'), wrap(module, 'get')]),
    ...(XMLHttpRequest ? [wrap(XMLHttpRequest.prototype, 'send')] : []),
  ]
  return () => {
    for (const restore of restores) restore()
  }
}

/** The frames of the code that sent the current request, as in an error's `stack`. */
export function currentCallSite(): string | undefined {
  const stack = callSites.getStore()?.stack
  return stack?.slice(stack.indexOf('\n') + 1)
}

/** Runs code that sends a request. The frames of `sender` and of what it calls are left out. */
export function runAsSender<T>(sender: (...args: never) => unknown, send: () => T): T {
  return callSites.run(captureCallSite(sender), send)
}

/** Where `callee` was called. */
export function captureCallSite(callee: (...args: never) => unknown): CallSite {
  const site = {}
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = MAX_FRAMES
  Error.captureStackTrace?.(site, callee)
  Error.stackTraceLimit = stackTraceLimit
  return site
}

/** File, line and column; undefined on a runtime that does not say. */
export function locationOf({ stack }: CallSite): string | undefined {
  return stack?.match(/^ *at (?:.*\()?(.+:\d+:\d+)\)?$/m)?.[1]
}

function wrap(owner: object, name: string): () => void {
  const original: unknown = Reflect.get(owner, name)
  const descriptor = Object.getOwnPropertyDescriptor(owner, name)
  if (typeof original !== 'function' || !descriptor?.writable) return () => {}
  function wrapped(this: unknown, ...args: unknown[]): unknown {
    return runAsSender(wrapped, () => Reflect.apply(original as () => unknown, this, args))
  }
  Object.defineProperty(owner, name, { ...descriptor, value: wrapped })
  return () => {
    if (Reflect.get(owner, name) === wrapped) Object.defineProperty(owner, name, descriptor)
  }
}
