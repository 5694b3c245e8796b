import { AsyncLocalStorage } from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import { setupServer } from 'msw/node'
import { MockError } from '../../engine/contract/errors.js'
import { callUserFunction } from '../../engine/control/unreported-errors.js'
import { createHandler, type Reachable } from '../msw/handlers.js'
import type { Unhandled } from '../msw/options.js'
import { interceptUndici } from './undici/intercept.js'

/** A pet store that listens, as the process sees it. */
export interface Listener extends Reachable {
  onUnhandledRequest(request: Request): Unhandled
}

/**
 * What is intercepted belongs to the process (there is one global fetch), so what decides who answers does too: one msw
 * server for all pet stores that listen, there as long as one does.
 */
const listeners = new Set<Listener>()
const context = new AsyncLocalStorage<Listener>()
let stop: (() => void) | undefined

export function listen(listener: Listener): void {
  listeners.add(listener)
  stop ??= intercept()
}

export function close(listener: Listener): void {
  if (!listeners.delete(listener) || listeners.size > 0) return
  stop?.()
  stop = undefined
}

/** Requests of the callback, and of all that it starts, are for this listener, whoever else listens there. */
export function runFor<T>(listener: Listener, callback: () => T): T {
  return context.run(listener, callback)
}

/** Whether a request may be for a listener that is asked by itself: not when it is made for another one there. */
export function mayBeFor(listener: Listener, request: Request): boolean {
  const current = context.getStore()
  return current === undefined || current === listener || current.addresses.match(request.url) === undefined
}

function intercept(): () => void {
  const server = setupServer(
    createHandler((request) => {
      const listener = findListener(request)
      return listener instanceof MockError ? undefined : listener
    }),
  )
  // msw 3 has another name for the option, and hands over the request in another way; it ignores the old one.
  const options = {
    onUnhandledRequest: stopUnhandled,
    onUnhandledFrame: ({ frame }: { frame: Frame }) => stopUnhandled(requestOf(frame)),
  }
  const stopUndici = interceptUndici(stopDispatched)
  server.listen(options)
  // What an ES module imports from node:http by name is a copy, which does not follow msw by itself.
  syncBuiltinESMExports()
  return () => {
    server.close()
    syncBuiltinESMExports()
    stopUndici()
  }
}

/** What msw 3 has found nobody for: a request, or a socket that is opened. */
interface Frame {
  readonly data: { readonly request?: Request; readonly connection?: { readonly client: { readonly url: URL } } }
}

function requestOf({ data }: Frame): Request {
  return data.request ?? new Request(String(data.connection?.client.url).replace(/^ws/, 'http'))
}

/** Lets a request for another address go to the network, unless someone who listens minds. */
function stopUnhandled(request: Request): void {
  const current = context.getStore()
  const concerned = [...listeners].filter((listener) => current === undefined || current === listener)
  const found = findListener(request)
  const minding =
    found instanceof MockError ? oneOf(concerned, request) : concerned.filter((listener) => minds(listener, request))
  if (found === undefined && minding.length === 0) return
  const error = found instanceof MockError ? found : foreign(request, minding)
  for (const listener of minding) listener.reportError(error)
  // msw takes an error that looks like one of Node's for the one that the client's call is to fail with.
  throw Object.assign(error, { errno: 0 })
}

/** Who hears of a request that could be for several: the newest there, since the tests of others may be over. */
function oneOf(concerned: readonly Listener[], { url }: Request): Listener[] {
  const there = concerned.filter(({ addresses }) => addresses.match(url) !== undefined)
  return (there.length > 0 ? there : concerned).slice(-1)
}

/** Only a clear word lets a request out. */
function minds({ onUnhandledRequest, reportError }: Listener, request: Request): boolean {
  return callUserFunction('onUnhandledRequest', () => onUnhandledRequest(request), reportError) !== 'bypass'
}

/** What goes through an undici dispatcher that the code under test made itself can be stopped, but not answered. */
function stopDispatched(request: Request): void {
  const listener = findListener(request)
  if (listener === undefined || listener instanceof MockError) {
    stopUnhandled(request)
    return
  }
  const error = unhandled(
    request,
    'is for a pet store that listens, but goes through an undici dispatcher of its own, which cannot be intercepted: ' +
      'make it without one in tests',
  )
  listener.reportError(error)
  throw error
}

/** Who a request is for: undefined where it is for another address, an error where it must not be answered. */
function findListener(request: Request): Listener | MockError | undefined {
  const current = context.getStore()
  // A test that has ended cannot hear of it any more, and others have nothing to do with it.
  if (current !== undefined && !listeners.has(current)) {
    return unhandled(request, 'is made for a pet store that does not listen, or no longer does')
  }
  const matching = [...listeners].filter(({ addresses }) => addresses.match(request.url) !== undefined)
  if (current !== undefined && matching.includes(current)) return current
  if (matching.length < 2) return matching[0]
  return unhandled(
    request,
    `could be for any of ${matching.length} pet stores that listen there at the same time: make it inside ` +
      '`petstore.run(() => …)` (in a hook of concurrent vitest tests: `test.beforeEach`), or close one before the next ' +
      'listens',
  )
}

function foreign(request: Request, minding: readonly Listener[]): MockError {
  return unhandled(
    request,
    `is not for the pet store at ${minding.map(({ addresses }) => addresses.text).join(', ')} and was stopped on its ` +
      'way to the network. If it is meant for the pet store, set baseUrl to its address; if it is meant for the network, ' +
      "set onUnhandledRequest to 'bypass', or to a function of the request that returns 'bypass' or 'error'",
  )
}

/** Without the query, which may hold a secret. */
function unhandled({ method, url }: Request, what: string): MockError {
  return new MockError('UNHANDLED_REQUEST', `${method} ${url.split(/[?#]/, 1)[0]} ${what}`)
}
