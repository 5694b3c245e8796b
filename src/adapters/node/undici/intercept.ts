import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import {
  addressOf,
  createPatience,
  type DispatchHandler,
  type DispatchOptions,
  readBody,
  tell,
  toInit,
} from './exchange.js'

interface Dispatcher {
  dispatch(options: DispatchOptions, handler: DispatchHandler): boolean
}

/** A request of undici, as it tells the process that it made one: version 8 has another name for the callback. */
interface UndiciRequest extends DispatchOptions {
  onError?(error: unknown): void
  onResponseError?(error: unknown): void
}

/** How far a request has come: `passed` inside the real fetch, or else what the intercepted fetch is asked for. */
type Stage = 'passed' | { readonly url: string; inCall: boolean }

/** Where the undici of Node and the package, in all its versions, find the dispatcher that they share. */
const SLOTS = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) => Symbol.for(name))
const CREATED = 'undici:request:create'

const globals = globalThis as typeof globalThis & Record<symbol, Dispatcher | undefined>
const stage = new AsyncLocalStorage<Stage | undefined>()
/** How many requests are on their way to an address with leave to go there. */
const passes = new Map<string, number>()
/** Ends the intercepted fetch of a dispatch that nobody minds: the dispatcher that was there takes it from here. */
const PASSED = new Error('passed on')

/**
 * The package undici brings a client of its own, of which msw does not know. While this lasts its requests are made with
 * the intercepted global fetch. To be started before msw: what msw calls as the real fetch is what this puts there, and
 * so a request that msw lets through is known from one that it has not seen.
 *
 * A dispatcher that the code under test made itself is out of reach. Its requests can only be stopped: with what
 * `stopDispatched` throws, where it does.
 */
export function interceptUndici(stopDispatched: (request: Request) => void): () => void {
  // Node makes its dispatcher when one of the classes is first looked at.
  Reflect.get(globals, 'Response')
  const stops = [replaceFetch(), ...SLOTS.map(replaceDispatcher), watch(stopDispatched)]
  return () => {
    for (const stop of stops) stop()
    passes.clear()
  }
}

function replaceFetch(): () => void {
  const before = Object.getOwnPropertyDescriptor(globals, 'fetch')
  const { fetch } = globals
  const realFetch: typeof fetch = async (input, init) => {
    const asked = stage.getStore()
    // A fetch that is intercepted further down (as in msw 3) calls the real one at once, before anyone was asked.
    const isPassed = typeof asked === 'object' && !asked.inCall && (input as Partial<Request>).url === asked.url
    if (isPassed) throw PASSED
    return stage.run('passed', () => fetch(input, init))
  }
  if (!before?.configurable) return () => {}
  Object.defineProperty(globals, 'fetch', { value: realFetch, writable: true, enumerable: true, configurable: true })
  return () => {
    if (globals.fetch === realFetch) Object.defineProperty(globals, 'fetch', before)
  }
}

/** A slot that is empty stays so: undici would take what it finds there for its own, and miss it afterwards. */
function replaceDispatcher(slot: symbol): () => void {
  const original = globals[slot]
  if (original === undefined) return () => {}
  let stopped = false
  const dispatch: Dispatcher['dispatch'] = (options, handler) => {
    const url = stopped ? undefined : addressOf(options)
    if (url === undefined) return original.dispatch(options, handler)
    if (stage.getStore() === 'passed') return handOver(url, original, options, handler)
    void answer(url, original, options, handler)
    return true
  }
  const replacement = new Proxy(original, {
    get(target, name) {
      const value: unknown = name === 'dispatch' ? dispatch : Reflect.get(target, name, target)
      // These two reach into private members; what makes requests must stay ours.
      return name === 'close' || name === 'destroy' ? (value as () => unknown).bind(target) : value
    },
  })
  globals[slot] = replacement
  return () => {
    stopped = true
    if (globals[slot] === replacement) globals[slot] = original
  }
}

async function answer(url: string, original: Dispatcher, options: DispatchOptions, handler: DispatchHandler) {
  const aborter = new AbortController()
  const told = tell(handler, aborter)
  const patience = createPatience(options, aborter)
  try {
    told.start()
    const body = await readBody(options.body)
    const init = { ...toInit(options, body), signal: aborter.signal }
    patience.forHead()
    const response = await fetchIntercepted(url, init).catch((error: unknown) => {
      if (error !== PASSED) throw error
    })
    patience.end()
    // A stream cannot be read again, its bytes can.
    const again = Buffer.isBuffer(body) ? { ...options, body } : options
    if (response) await told.answer(response, patience)
    else handOver(url, original, again, handler)
  } catch (error) {
    told.fail(error instanceof TypeError ? toReason(error) : error)
  } finally {
    patience.end()
  }
}

/** What fetch wraps up; msw has no error for a broken connection, but an answer that tells of it. */
function toReason(error: TypeError): unknown {
  const { cause } = error
  if (cause instanceof Error) return cause
  const { message, code } = (cause ?? {}) as NodeJS.ErrnoException
  return code === undefined ? error : Object.assign(new Error(message), { code })
}

function fetchIntercepted(url: string, init: RequestInit): Promise<Response> {
  const asked = { url, inCall: true }
  return stage.run(asked, () => {
    const response = globals.fetch(url, init)
    asked.inCall = false
    return response
  })
}

function handOver(url: string, original: Dispatcher, options: DispatchOptions, handler: DispatchHandler): boolean {
  passes.set(url, (passes.get(url) ?? 0) + 1)
  // What comes of it (an override may make requests itself) is on its own.
  return stage.run(undefined, () => original.dispatch(options, handler))
}

/** Stops what undici is about to send through a dispatcher that is not ours. */
function watch(stopDispatched: (request: Request) => void): () => void {
  const look = (message: unknown): void => {
    const { request } = message as { request: UndiciRequest }
    const url = addressOf(request)
    if (url === undefined || stage.getStore() === 'passed') return
    const left = passes.get(url) ?? 0
    if (left > 0) return void passes.set(url, left - 1)
    try {
      stopDispatched(new Request(url, { method: request.method }))
    } catch (error) {
      // As if it had failed: undici may still connect, but sends nothing.
      const fail = request.onError ?? request.onResponseError
      fail?.call(request, error)
    }
  }
  subscribe(CREATED, look)
  return () => void unsubscribe(CREATED, look)
}
