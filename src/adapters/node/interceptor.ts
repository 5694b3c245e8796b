import { AsyncLocalStorage } from 'node:async_hooks'
import http, { request as requestByName } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { setupServer } from 'msw/node'
import { MockError } from '../../engine/contract/errors.js'
import { callUserFunction } from '../../engine/control/unreported-errors.js'
import { shareBetweenBuilds } from '../../lib/share-between-builds.js'
import { createHandler, type MockEndpoint, respond } from '../msw/handlers.js'
import { interceptUndici, type Responder } from './undici/intercept.js'

/** A mock that can intercept requests. */
export interface Listener extends MockEndpoint {
  /** What to do with a request that no mock handles. */
  onUnhandledRequest(request: Request): 'error' | 'warn' | 'bypass'
}

/** Code whose requests go to one mock. */
interface Scope {
  owner: Listener | undefined
}

interface Interception {
  readonly listeners: Set<Listener>
  readonly scopes: AsyncLocalStorage<Scope>
  stop?: (() => void) | undefined
}

// The process has one global fetch, so all mocks share one msw server, which runs while any of them is listening.
const interception = shareBetweenBuilds<Interception>('interception', () => ({
  listeners: new Set(),
  scopes: new AsyncLocalStorage(),
}))
const { listeners, scopes } = interception

/** Starts intercepting. In a scope without an owner that is listening, the listener becomes the owner. */
export function startListening(listener: Listener): void {
  interception.stop ??= intercept()
  listeners.add(listener)
  const scope = scopes.getStore()
  if (scope !== undefined && (scope.owner === undefined || !listeners.has(scope.owner))) scope.owner = listener
}

export function stopListening(listener: Listener): void {
  if (!listeners.delete(listener) || listeners.size > 0) return
  interception.stop?.()
  interception.stop = undefined
}

/** Runs code whose requests go to this listener. */
export function runFor<T>(listener: Listener, callback: () => T): T {
  return scopes.run({ owner: listener }, callback)
}

/** Runs code whose requests go to the first mock that it starts. A nested call does not change the scope. */
export function runInScope<T>(callback: () => T): T {
  return scopes.getStore() === undefined ? scopes.run({ owner: undefined }, callback) : callback()
}

/** Whether a request belongs to another mock at the same address. */
export function isForOtherMock(listener: Listener, request: Request): boolean {
  const owner = scopes.getStore()?.owner
  return owner !== undefined && owner !== listener && owner.addresses.find(request.url) !== undefined
}

function intercept(): () => void {
  const server = setupServer(createHandler(findListener))
  const stopUndici = interceptUndici(findResponder, rejectCustomDispatcher)
  // msw 3 ignores `onUnhandledRequest` and calls `onUnhandledFrame` instead.
  const options = {
    onUnhandledRequest: rejectUnhandled,
    onUnhandledFrame: ({ frame }: { frame: Frame }) => rejectUnhandled(toRequest(frame)),
  }
  const restore = () => {
    server.close()
    syncBuiltinESMExports()
    stopUndici()
  }
  try {
    server.listen(options)
  } catch (error) {
    restore()
    throw error
  }
  // Named imports from node:http are copies that msw's patch does not reach.
  syncBuiltinESMExports()
  warnIfIncomplete()
  return restore
}

let hasWarned = false

/** Some runtimes do not update named imports. The requests of such code would reach the network unnoticed. */
function warnIfIncomplete(): void {
  if (requestByName === http.request || hasWarned) return
  hasWarned = true
  console.warn(
    'petstore-mock cannot intercept every request on this runtime: functions imported by name from node:http, and a ' +
      'fetch function saved before listen(), reach the network. Call http.request and the global fetch instead.',
  )
}

/** An unhandled HTTP request or WebSocket connection, in msw 3. */
interface Frame {
  readonly data: { readonly request?: Request; readonly connection?: { readonly client: { readonly url: URL } } }
}

function toRequest({ data }: Frame): Request {
  return data.request ?? new Request(String(data.connection?.client.url).replace(/^ws/, 'http'))
}

/** Returns undefined if no mock is at the address, or if it is unclear which one is meant. */
function findListener(request: Request): Listener | undefined {
  const owner = scopes.getStore()?.owner
  if (owner !== undefined && !listeners.has(owner)) return undefined
  const matching = listenersAt(request)
  if (owner !== undefined && matching.includes(owner)) return owner
  return matching.length === 1 ? matching[0] : undefined
}

function listenersAt({ url }: Request): Listener[] {
  return [...listeners].filter(({ addresses }) => addresses.find(url) !== undefined)
}

/** Throws for a request that no mock handles, unless it may go to the network. */
function rejectUnhandled(request: Request): void {
  const owner = scopes.getStore()?.owner
  if (owner !== undefined && !listeners.has(owner)) {
    // Not reported: the owner's test has ended, and other tests are not responsible.
    throw block(request, [], 'was made for a mock that is not listening. It may come from a test that has ended.')
  }
  const matching = listenersAt(request)
  if (matching.length > 1) {
    // Reported to the newest mock, because the tests of the older ones may have ended.
    throw block(
      request,
      [owner ?? (matching.at(-1) as Listener)],
      `matches the base URL of ${matching.length} mocks that are listening. Make it inside petstore.run(() => …), or ` +
        'close one mock before the next one listens.',
    )
  }
  const strict = (owner === undefined ? [...listeners] : [owner]).filter((listener) => !isBypassed(listener, request))
  if (strict.length === 0) return
  throw block(
    request,
    strict,
    `was blocked by the mock at ${strict.map(({ addresses }) => addresses.text).join(', ')}, because it is sent to ` +
      'another address. To mock it, set baseUrl to its address. To let it through, set onUnhandledRequest to ' +
      "'bypass', or to a function that returns 'bypass' for it.",
  )
}

/** Anything but `bypass` and `warn` blocks the request. */
function isBypassed({ onUnhandledRequest, reportError, addresses }: Listener, request: Request): boolean {
  const reaction = callUserFunction('onUnhandledRequest', () => onUnhandledRequest(request), reportError)
  if (reaction === 'warn') {
    console.warn(`${nameOf(request)} was not handled by the mock at ${addresses.text}, and goes to the network.`)
  }
  return reaction === 'bypass' || reaction === 'warn'
}

function findResponder(request: Request): Responder | undefined {
  const listener = findListener(request)
  if (listener === undefined) return void rejectUnhandled(request)
  return (requestWithBody, signal) => respond(listener, requestWithBody, { signal })
}

/** A request through a dispatcher of the code under test can be blocked, but not mocked. */
function rejectCustomDispatcher(request: Request): void {
  const listener = findListener(request)
  if (listener === undefined) return void rejectUnhandled(request)
  throw block(
    request,
    [listener],
    'is for the mock, but goes through a custom undici dispatcher, which cannot be intercepted. Use the global ' +
      'dispatcher in tests.',
  )
}

/** Without the query, which may contain secrets. */
function nameOf({ method, url }: Request): string {
  return `${method} ${url.split(/[?#]/, 1)[0]}`
}

/** Creates an error and reports it. */
function block(request: Request, reportTo: readonly Listener[], reason: string): MockError {
  const error = new MockError('UNHANDLED_REQUEST', `${nameOf(request)} ${reason}`)
  for (const { reportError } of reportTo) reportError(error)
  // msw passes an error on to the client only if it looks like one of Node's.
  return Object.assign(error, { errno: 0 })
}
