import { callUserFunction } from '../../engine/control/unreported-errors.js'
import { MockError } from '../../http/errors.js'
import { describeValue } from '../../lib/functions.js'
import { locationOf } from './call-sites.js'
import { findListener, findOwner, type Listener, listeners, listenersAt } from './listeners.js'
import { currentCallSite, whenAnswered } from './sent-requests.js'

/** Finds the mock for a request. Throws if there is none, unless the request may go to the network. */
export function findOrReject(request: Request): Listener | undefined {
  const listener = findListener(request)
  if (listener === undefined) rejectUnhandled(request)
  return listener
}

/** Throws for a request that no mock handles, unless it may go to the network. */
export function rejectUnhandled(request: Request): void {
  // A fetch of `data:` or `blob:` needs no network.
  if (!/^(http|ws)s?:/.test(request.url)) return
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
  const reactions = (owner === undefined ? [...listeners] : [owner]).map((listener) => reactTo(request, listener))
  const strict = reactions.filter(({ reaction }) => reaction !== 'bypass' && reaction !== 'warn')
  if (strict.length === 0) return void warn(request, reactions)
  throw block(
    request,
    strict.map(({ listener }) => listener),
    `was blocked by the mock at ${describeAddresses(strict)}, because ` +
      `${isAtOrigin(request, strict) ? 'its path is not below that address' : 'it is sent to another address'}. ` +
      'To mock it, set baseUrl to its address. If your own msw server handles it, pass that server as ' +
      "the option server. To let it through to the network, set onUnhandledRequest to 'bypass', or to a function that " +
      `returns 'bypass' for it.${strict.map(({ problem }) => problem).join('')}`,
  )
}

/** A request through a dispatcher of the code under test can be blocked, but not mocked. */
export function rejectCustomDispatcher(request: Request, isGlobalReplaced: boolean): void {
  const listener = findOrReject(request)
  if (listener === undefined) return
  throw block(
    request,
    [listener],
    isGlobalReplaced
      ? 'is for the mock, but the global undici dispatcher was set after listen(). Set it, or import undici, before.'
      : 'is for the mock, but goes through a custom undici dispatcher, which cannot be intercepted. Use the global ' +
          'dispatcher and the global fetch in tests.',
  )
}

interface Reaction {
  readonly listener: Listener
  /** Anything but `bypass` and `warn` blocks the request. */
  readonly reaction: unknown
  /** A sentence about an invalid reaction; else empty. */
  readonly problem: string
}

function reactTo(request: Request, listener: Listener): Reaction {
  let problem = ''
  const ask = () => {
    const returned: unknown = listener.onUnhandledRequest(request)
    if (!['error', 'warn', 'bypass'].includes(returned as string)) {
      problem = ` onUnhandledRequest returned ${describeValue(returned)}. It must return 'error', 'warn' or 'bypass'.`
    }
    return returned
  }
  const reaction = callUserFunction('onUnhandledRequest', ask, listener.reportError)
  return { listener, reaction, problem }
}

function warn(request: Request, reactions: readonly Reaction[]): void {
  const warning = reactions.filter(({ reaction }) => reaction === 'warn')
  if (warning.length === 0) return
  console.warn(
    `${nameOf(request)} was not handled by the mock at ${describeAddresses(warning)}, and goes to the network.`,
  )
}

function describeAddresses(reactions: readonly Reaction[]): string {
  return reactions.map(({ listener }) => listener.addresses.text).join(', ')
}

function isAtOrigin({ url }: Request, reactions: readonly Reaction[]): boolean {
  return reactions.some(({ listener }) => listener.addresses.all.some(({ origin }) => url.startsWith(`${origin}/`)))
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

/** Creates an error and reports it: the first of these mocks whose `check` is called throws it. */
function block(request: Request, reportTo: readonly Listener[], reason: string): MockError {
  const error = new MockError('UNHANDLED_REQUEST', `${nameOf(request)} ${reason}`)
  const callSite = currentCallSite()
  if (callSite !== undefined) error.stack = `${error}\n${callSite}`
  const shared = { isReported: false }
  for (const { reportError } of reportTo) {
    const withdraw = reportError(error, shared)
    // With msw 2, nock 14 may have responded.
    whenAnswered(withdraw)
  }
  // msw passes an error on to the client only if it looks like one of Node's.
  return Object.assign(error, { errno: 0 })
}
