import { AsyncLocalStorage } from 'node:async_hooks'
import type { Reported } from '../../engine/control/unreported-errors.js'
import { shareBetweenBuilds } from '../../lib/share-between-builds.js'
import type { MockEndpoint } from '../msw/handlers.js'
import type { CallSite } from './call-sites.js'
import type { OwnServer } from './own-server.js'

/** A mock that can intercept requests. */
export interface Listener extends MockEndpoint {
  /** The user's own msw server, which intercepts the requests for this mock. */
  readonly server: OwnServer | undefined
  /** Where `listen` was called, for a message that a mock was not closed. */
  listenedAt: CallSite
  /** Returns a function that withdraws the error. One that is shared is reported once. */
  reportError(error: unknown, shared?: Reported): () => void
  /** What to do with a request that no mock handles. */
  onUnhandledRequest(request: Request): 'error' | 'warn' | 'bypass'
}

/** Code whose requests go to one mock. */
interface Scope {
  owner: Listener | undefined
  /** Identifies the test that the code belongs to, if it is isolated from others. */
  readonly test: object | undefined
}

const { listeners, scopes, tests } = shareBetweenBuilds('listeners', () => ({
  listeners: new Set<Listener>(),
  scopes: new AsyncLocalStorage<Scope>(),
  /** The isolated tests that have started a mock. */
  tests: new WeakMap<Listener, object>(),
}))

/** The mocks that are listening. */
export { listeners }

/** In a scope without an owner that is listening, the listener becomes the owner. */
export function addListener(listener: Listener): void {
  listeners.add(listener)
  const scope = scopes.getStore()
  if (scope?.test === undefined) tests.delete(listener)
  else tests.set(listener, scope.test)
  if (scope !== undefined && (scope.owner === undefined || !listeners.has(scope.owner))) scope.owner = listener
}

/** Runs code whose requests go to this listener. */
export function runFor<T>(listener: Listener, callback: () => T): T {
  return scopes.run({ owner: listener, test: scopes.getStore()?.test ?? tests.get(listener) }, callback)
}

/**
 * Runs a test whose requests go to the first mock that it starts, and never to the mocks of other such tests. A nested call
 * does not change the scope.
 */
export function runInScope<T>(callback: () => T): T {
  return scopes.getStore() === undefined ? scopes.run({ owner: undefined, test: {} }, callback) : callback()
}

/** The mock that the requests of the running code go to. It may have stopped listening. */
export function findOwner(): Listener | undefined {
  return scopes.getStore()?.owner
}

/** Whether a request belongs to another mock at the same address. */
export function isForOtherMock(listener: Listener, request: Request): boolean {
  const owner = findOwner()
  return owner !== undefined && owner !== listener && owner.addresses.find(request.url) !== undefined
}

/** Returns undefined if no mock is at the address, or if it is unclear which one is meant. */
export function findListener(request: Request): Listener | undefined {
  const owner = findOwner()
  if (owner !== undefined && !listeners.has(owner)) return undefined
  const matching = listenersAt(request)
  if (owner !== undefined && matching.includes(owner)) return owner
  return matching.length === 1 ? matching[0] : undefined
}

/** Leaves out the mocks of other isolated tests. */
export function listenersAt({ url }: Pick<Request, 'url'>): Listener[] {
  const test = scopes.getStore()?.test
  const isOfOtherTest = (listener: Listener) => test !== undefined && (tests.get(listener) ?? test) !== test
  return [...listeners].filter((each) => each.addresses.find(url) !== undefined && !isOfOtherTest(each))
}
