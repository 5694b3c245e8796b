import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import http from 'node:http'
import https from 'node:https'
import { markAnswered, runAsRequest, type SentRequest } from './sent-requests.js'

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown

interface ReplaceOptions {
  /** Whether msw starts afterwards. It replaces the function again, and when it stops, it puts back the property it found. */
  readonly beforeMsw?: boolean
}

/**
 * Wraps a function of an object. Returns a function that puts the original back, unless something else has replaced it
 * since. Does nothing if the object has no such function, or if it is not configurable.
 */
function replaceFunction(
  owner: object,
  name: string,
  wrap: (original: AnyFunction) => AnyFunction,
  { beforeMsw = false }: ReplaceOptions = {},
): () => void {
  const original: unknown = Reflect.get(owner, name)
  const descriptor = Object.getOwnPropertyDescriptor(owner, name)
  if (typeof original !== 'function' || !descriptor?.configurable) return () => {}
  const replacement = wrap(original as AnyFunction)
  const putBack = () => Object.defineProperty(owner, name, descriptor)
  const set = (value: unknown): void => {
    Object.defineProperty(owner, name, { value, writable: true, enumerable: true, configurable: true })
  }
  let isStopped = false
  // A getter, so that it can remove itself when msw puts this property back after the replacement has ended.
  const get = () => {
    if (!isStopped) return replacement
    putBack()
    return original
  }
  if (beforeMsw) Object.defineProperty(owner, name, { get, set, enumerable: true, configurable: true })
  else set(replacement)
  return () => {
    if (Reflect.get(owner, name) === replacement) putBack()
    isStopped = true
  }
}

/** Called with the URL of a fetch that got a response without being intercepted. */
type OnMissed = (url: string) => void

/**
 * Keeps a record of each request that is sent with fetch, node:http or XMLHttpRequest, from the call until the response.
 * Must be called after msw has started, which replaces the same functions.
 */
export function trackRequests(onMissed: OnMissed): () => void {
  const stops = [trackFetch(onMissed), trackNodeHttp(), trackXhr()]
  return () => {
    for (const stop of stops) stop()
  }
}

/** The same for fetch alone. */
export function trackFetch(onMissed: OnMissed, options?: { readonly beforeMsw: boolean }): () => void {
  return replaceFunction(
    globalThis,
    'fetch',
    (original) =>
      function fetch(this: unknown, ...args) {
        return runAsRequest({ callee: fetch, isFetch: true }, (request) => {
          const response = Reflect.apply(original, this, args) as Promise<unknown>
          const onResponse = () => {
            if (!request.isIntercepted) onMissed(urlOf(args[0]))
            markAnswered(request)
          }
          void response.then(onResponse, () => {})
          return response
        })
      },
    options,
  )
}

function urlOf(input: unknown): string {
  return input instanceof Request ? input.url : String(input)
}

/** Node reports every response here that a request of node:http gets, before the request's own listeners run. */
const RESPONSE_CHANNEL = 'http.client.response.finish'

/** Keyed by Node's `ClientRequest`. */
const requests = new WeakMap<object, SentRequest>()

function onNodeResponse(message: unknown): void {
  const request = requests.get((message as { request: object }).request)
  if (request !== undefined) markAnswered(request)
}

function trackNodeHttp(): () => void {
  const restores = [http, https].flatMap((module) =>
    ['request', 'get'].map((name) =>
      replaceFunction(
        module,
        name,
        (original) =>
          function send(this: unknown, ...args) {
            return runAsRequest({ callee: send }, (request) => {
              const clientRequest = Reflect.apply(original, this, args) as object
              requests.set(clientRequest, request)
              return clientRequest
            })
          },
      ),
    ),
  )
  subscribe(RESPONSE_CHANNEL, onNodeResponse)
  return () => {
    for (const restore of restores) restore()
    unsubscribe(RESPONSE_CHANNEL, onNodeResponse)
  }
}

/** In jsdom and happy-dom, whose class msw replaces. */
function trackXhr(): () => void {
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: { prototype: object } }
  if (XMLHttpRequest === undefined) return () => {}
  return replaceFunction(
    XMLHttpRequest.prototype,
    'send',
    (original) =>
      function send(this: unknown, ...args) {
        return runAsRequest({ callee: send }, (request) => {
          const returned = Reflect.apply(original, this, args)
          ;(this as EventTarget).addEventListener('load', () => markAnswered(request), { once: true })
          return returned
        })
      },
  )
}
