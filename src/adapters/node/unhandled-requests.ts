import { MockError } from '../../engine/contract/errors.js'
import { callUserFunction } from '../../engine/control/unreported-errors.js'
import { locationOf } from './call-sites.js'
import { findListener, findOwner, type Listener, listeners, listenersAt } from './listeners.js'
import { currentCallSite, whenAnswered } from './senders.js'

/** Throws for a request that no mock handles, unless it may go to the network. */
export function rejectUnhandled(request: Request): void {
  const owner = findOwner()
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
      `matches the base URL of ${matching.length} mocks that are listening${describeLocations(matching)}. Make it inside ` +
        'petstore.run(() => …), or close one mock before the next one listens.',
    )
  }
  const strict = (owner === undefined ? [...listeners] : [owner]).filter((listener) => !isBypassed(listener, request))
  if (strict.length === 0) return
  throw block(
    request,
    strict,
    `was blocked by the mock at ${strict.map(({ addresses }) => addresses.text).join(', ')}, because it is sent to ` +
      'another address. To mock it, set baseUrl to its address. If your own msw server handles it, pass that server as ' +
      "the option server. To let it through to the network, set onUnhandledRequest to 'bypass', or to a function that " +
      "returns 'bypass' for it.",
  )
}

/** A request through a dispatcher of the code under test can be blocked, but not mocked. */
export function rejectCustomDispatcher(request: Request): void {
  const listener = findListener(request)
  if (listener === undefined) return void rejectUnhandled(request)
  throw block(
    request,
    [listener],
    'is for the mock, but goes through a custom undici dispatcher, which cannot be intercepted. Use the global ' +
      'dispatcher in tests.',
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

/** Shows which test file forgot to call `close`. */
function describeLocations(mocks: readonly Listener[]): string {
  const locations = mocks.flatMap(({ listenedAt }) => locationOf(listenedAt) ?? [])
  return locations.length === 0 ? '' : ` (listen() was called at ${locations.join(' and at ')})`
}

/** Without the query, which may contain secrets. */
function nameOf({ method, url }: Request): string {
  return `${method} ${url.split(/[?#]/, 1)[0]}`
}

/** Creates an error and reports it. */
function block(request: Request, reportTo: readonly Listener[], reason: string): MockError {
  const error = new MockError('UNHANDLED_REQUEST', `${nameOf(request)} ${reason}`)
  const callSite = currentCallSite()
  if (callSite !== undefined) error.stack = `${error}\n${callSite}`
  for (const { reportError } of reportTo) {
    const withdraw = reportError(error)
    // With msw 2, nock 14 may have responded.
    whenAnswered(withdraw)
  }
  // msw passes an error on to the client only if it looks like one of Node's.
  return Object.assign(error, { errno: 0 })
}
