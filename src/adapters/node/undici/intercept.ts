import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { connectionReset } from '../../../engine/fetch/respond.js'
import { currentRequest, markIntercepted, runAsRequest } from '../sent-requests.js'
import {
  Controller,
  type DispatchHandler,
  type DispatchOptions,
  type LegacyHandler,
  readBody,
  toDispatchHandler,
  toHeaderObject,
  toRawHeaders,
  toRequest,
  toUrl,
} from './convert.js'

/** Responds to a request; with an error response if the connection breaks. Rejects if the signal is aborted. */
export type Responder = (request: Request, signal: AbortSignal) => Promise<Response>

/** Returns undefined to pass a request on, and throws to block it, unless another interceptor may respond. */
type FindResponder = (request: Request, mayBePassedOn: boolean) => Responder | undefined

interface Dispatcher {
  /** A MockAgent of undici has this. */
  readonly isMockActive?: boolean
  dispatch(options: DispatchOptions, handler: DispatchHandler & LegacyHandler): boolean
}

/** The symbols under which all versions of undici, and Node, store the global dispatcher. */
const SLOTS = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) => Symbol.for(name))
const REQUEST_CREATED = 'undici:request:create'

const globals = globalThis as typeof globalThis & Record<symbol, Dispatcher | undefined>
/** Requests that were passed on to an original dispatcher and not created yet. */
const passedOn = new Set<{ readonly url: string }>()

/** What runs while undici is intercepted. */
export interface UndiciInterception {
  stop(): void
  /** Whether a global dispatcher was set since. */
  hasBeenReplaced(): boolean
}

/**
 * Intercepts the undici package, which msw does not. A request through a dispatcher of the code under test cannot be
 * intercepted; `checkCustomDispatcher` throws to block it.
 */
export function interceptUndici(
  findResponder: FindResponder,
  checkCustomDispatcher: (request: Request, isGlobalReplaced: boolean) => void,
): UndiciInterception {
  // Node creates its global dispatcher when one of these classes is first accessed.
  Reflect.get(globals, 'Response')
  const slots = SLOTS.map((slot) => replaceDispatcher(slot, findResponder))
  const hasBeenReplaced = () => slots.some((slot) => slot.hasBeenReplaced())
  const unwatch = watchCustomDispatchers((request) => checkCustomDispatcher(request, hasBeenReplaced()))
  return {
    hasBeenReplaced,
    stop() {
      for (const slot of slots) slot.stop()
      unwatch()
      passedOn.clear()
    },
  }
}

/** An empty slot stays empty: undici would take a replacement for its own dispatcher and miss it afterwards. */
function replaceDispatcher(slot: symbol, findResponder: FindResponder): UndiciInterception {
  const original = globals[slot]
  if (original === undefined) return { stop() {}, hasBeenReplaced: () => globals[slot] !== undefined }
  let isStopped = false
  const dispatch: Dispatcher['dispatch'] = (options, handler) => {
    const url = isStopped ? undefined : toUrl(options)
    if (url === undefined) return original.dispatch(options, handler)
    const isMockAgent = original.isMockActive === true
    const find = () => findOrReject(url, options, (request) => findResponder(request, isMockAgent))
    // A MockAgent opens no socket, so msw 3 would not get to decide.
    const mayPass = isLeftToMsw() && !isMockAgent
    if (!mayPass) markIntercepted()
    const respond = mayPass ? undefined : runAsRequest({ callee: dispatch }, find)
    if (respond !== undefined) {
      void deliver(url, options, toDispatchHandler(handler), respond)
      return true
    }
    const passed = { url }
    // Whatever a MockAgent lets through to the network is checked when it is created.
    if (!isMockAgent) passedOn.add(passed)
    // A dispatcher that is closed creates no request.
    const watched = onFirstCall(handler, () => passedOn.delete(passed))
    return original.dispatch(options, watched)
  }
  const replacement = new Proxy(original, {
    get(target, name) {
      const value: unknown = name === 'dispatch' ? dispatch : Reflect.get(target, name, target)
      // These two use private members, which a proxy does not have.
      return name === 'close' || name === 'destroy' ? (value as () => unknown).bind(target) : value
    },
  })
  globals[slot] = replacement
  return {
    hasBeenReplaced: () => globals[slot] !== replacement,
    stop() {
      isStopped = true
      if (globals[slot] === replacement) globals[slot] = original
    },
  }
}

/**
 * Whether the current request was sent with the global fetch, and undici may send it: msw 2 has decided on it before, and
 * msw 3 will when the socket opens. The requests of an override are sent in the context of the request that it handles.
 */
function isLeftToMsw(): boolean {
  const request = currentRequest()
  return request?.isFetch === true && (request.isPassedOn || !request.isIntercepted)
}

/** The same handler, which calls a function before the first of its own functions is called. */
function onFirstCall<T extends object>(handler: T, act: () => void): T {
  return new Proxy(handler, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        act()
        return Reflect.apply(value, target, args)
      }
    },
  })
}

function findOrReject(
  url: string,
  options: DispatchOptions,
  findResponder: (request: Request) => Responder | undefined,
): Responder | undefined {
  try {
    return findResponder(toRequest(url, options))
  } catch (error) {
    return () => Promise.reject(error)
  }
}

async function deliver(url: string, options: DispatchOptions, handler: DispatchHandler, respond: Responder) {
  const controller = new Controller()
  const { signal } = controller
  const timeouts = createTimeouts(options, controller)
  try {
    handler.onRequestStart?.(controller, {})
    const request = toRequest(url, options, await readBody(options.body))
    timeouts.restart('Headers')
    const response = await Promise.race([rejectOnAbort(signal), respond(request, signal)])
    if (response.type === 'error') throw connectionReset()
    signal.throwIfAborted()
    controller.rawHeaders = toRawHeaders(response.headers)
    handler.onResponseStart?.(controller, response.status, toHeaderObject(response.headers), response.statusText)
    timeouts.restart('Body')
    for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      signal.throwIfAborted()
      handler.onResponseData?.(controller, Buffer.from(part))
      timeouts.restart('Body')
    }
    signal.throwIfAborted()
    handler.onResponseEnd?.(controller, {})
  } catch (error) {
    // A truncated body fails with fetch's TypeError; undici reports its cause.
    handler.onResponseError?.(controller, error instanceof TypeError ? (error.cause ?? error) : error)
  } finally {
    timeouts.clear()
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

/** Aborts if the next part of a response does not arrive in time. */
function createTimeouts({ headersTimeout, bodyTimeout }: DispatchOptions, controller: Controller) {
  let timer: NodeJS.Timeout | undefined
  return {
    restart(part: 'Headers' | 'Body') {
      clearTimeout(timer)
      const milliseconds = part === 'Headers' ? headersTimeout : bodyTimeout
      if (!milliseconds) return
      const details = { name: `${part}TimeoutError`, code: `UND_ERR_${part.toUpperCase()}_TIMEOUT` }
      const error = Object.assign(new Error(`${part} Timeout Error`), details)
      timer = setTimeout(controller.abort, milliseconds, error)
    },
    clear: () => clearTimeout(timer),
  }
}

/** A request as undici announces it; the name of its error callback depends on the version. */
interface CreatedRequest extends DispatchOptions {
  onError?(error: unknown): void
  onResponseError?(error: unknown): void
}

function watchCustomDispatchers(check: (request: Request) => void): () => void {
  const onCreated = (message: unknown): void => {
    const { request } = message as { request: CreatedRequest }
    const url = toUrl(request)
    if (url === undefined) return
    const passed = [...passedOn].find((each) => each.url === url)
    if (passed !== undefined) return void passedOn.delete(passed)
    if (isLeftToMsw()) return
    try {
      runAsRequest({ callee: onCreated }, () => check(new Request(url, { method: request.method })))
    } catch (error) {
      // undici may still connect, but sends nothing.
      const fail = request.onError ?? request.onResponseError
      fail?.call(request, error)
    }
  }
  subscribe(REQUEST_CREATED, onCreated)
  return () => void unsubscribe(REQUEST_CREATED, onCreated)
}
