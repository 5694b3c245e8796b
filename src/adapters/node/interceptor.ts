import http, { request as requestByName } from 'node:http'
import { setupServer } from 'msw/node'
import { MockError } from '../../http/errors.js'
import { once } from '../../lib/functions.js'
import { shareBetweenBuilds } from '../../lib/share-between-builds.js'
import { createHandler, respond } from '../msw/handlers.js'
import { addListener, findListener, type Listener, listeners, listenersAt } from './listeners.js'
import { replaceNamedImports, restoreNamedImports } from './named-imports.js'
import { activeServer, addHandler, type OwnServer, releaseHandler } from './own-server.js'
import { markIntercepted, markPassedOn } from './sent-requests.js'
import { trackFetch, trackRequests } from './track-requests.js'
import { interceptUndici, type Responder, type UndiciInterception } from './undici/intercept.js'
import { findOrReject, rejectCustomDispatcher, rejectUnhandled } from './unhandled-requests.js'

/** Warns of an interceptor that gets requests before the mock. Must be called before msw starts. */
function warnOfOtherInterceptors({ isMsw3 }: { isMsw3: boolean }): void {
  const { name } = http.ClientRequest
  if (name === NAME_IN_NOCK) warnOnce(isMsw3 ? NOCK_WITH_MSW_3 : NOCK)
  else if (name !== 'ClientRequest')
    warnOnce(`${name} has replaced http.ClientRequest, and gets requests before the mock.`)
}

/** Warns of a stub of the global fetch, or the like, which cannot be told from a polyfill until it has responded. */
function warnOfOtherResponse(): void {
  warnOnce(
    'Something else has responded to a request that was for the mock, such as a stub of the global fetch. Remove the ' +
      'stub, or let it call the original fetch.',
  )
}

/** In nock 13 and 14. Later versions get requests after the mock. */
const NAME_IN_NOCK = 'OverriddenClientRequest'

const NOCK =
  'nock gets requests before the mock. This works if nock is loaded before listen() is called, and lets the requests ' +
  "through: after nock.disableNetConnect(), call nock.enableNetConnect() with the mock's host."

const NOCK_WITH_MSW_3 =
  'nock gets the requests of node:http before the mock, and sends them to the network. With msw 3, use nock 15.'

const printed = new Set<string>()

function warnOnce(text: string): void {
  if (printed.has(text)) return
  printed.add(text)
  console.warn(`petstore-mock: ${text}`)
}

/** What runs while any mock is listening: the process has one global fetch, so all mocks share it. */
interface Interception {
  server?: { stop(): void; hasBeenReplaced(): boolean } | undefined
  undici?: UndiciInterception | undefined
  stopTracking?: (() => void) | undefined
  /** Whether it goes on while no mock is listening. Requests then go to the network. */
  isKept?: boolean
}

const interception = shareBetweenBuilds<Interception>('interception', () => ({}))

export function startListening(listener: Listener): void {
  if (listener.server === undefined) interceptWithMsw()
  else shareServer(listener.server)
  // The code under test may have set another global dispatcher.
  if (interception.undici?.hasBeenReplaced()) stopUndici()
  interception.undici ??= interceptUndici(findResponder, rejectCustomDispatcher)
  addListener(listener)
}

export function stopListening(listener: Listener): void {
  if (!listeners.delete(listener)) return
  const { server } = listener
  if (server === undefined && interception.server?.hasBeenReplaced()) listener.reportError(otherServer())
  if (server !== undefined && !isInUse(server)) releaseHandler(server)
  stopUnused()
}

/** To be called between two mocks: starting and stopping msw takes longer than a request. */
export function keepIntercepting(isKept: boolean): void {
  interception.isKept = isKept
  stopUnused()
}

function stopUnused(): void {
  // One that was replaced is of no use to the next mock.
  if (interception.isKept && !interception.server?.hasBeenReplaced()) return
  if (listeners.size === 0) {
    stopUndici()
    interception.stopTracking?.()
    interception.stopTracking = undefined
  }
  if (!isInUse(undefined)) {
    interception.server?.stop()
    interception.server = undefined
  }
  if (listeners.size === 0) restoreNamedImports()
  else replaceNamedImports()
}

function stopUndici(): void {
  interception.undici?.stop()
  interception.undici = undefined
}

function isInUse(server: OwnServer | undefined): boolean {
  return [...listeners].some((listener) => listener.server === server)
}

function shareServer(server: OwnServer): void {
  const isMsw3 = isOfMsw3(server)
  warnOfOtherInterceptors({ isMsw3 })
  // msw 2 decides on a fetch before undici gets it, msw 3 afterwards.
  if (isMsw3) interception.stopTracking ??= trackFetch(warnIfForMock, { beforeMsw: activeServer() === undefined })
  addHandler(server, ownServerHandler())
  replaceNamedImports()
}

/** Only the servers of msw 3 have this property. */
function isOfMsw3(server: OwnServer): boolean {
  return 'readyState' in server
}

/** For the user's own msw servers. */
const ownServerHandler = once(() =>
  createHandler({
    matches(request) {
      markIntercepted()
      return listenersAt(request).length > 0
    },
    findEndpoint: findOrReject,
  }),
)

function interceptWithMsw(): void {
  stopUnused()
  if (interception.server?.hasBeenReplaced()) throw otherServer()
  interception.server ??= startServer()
}

function startServer(): NonNullable<Interception['server']> {
  if (activeServer() !== undefined) throw otherServer()
  const server = setupServer(createHandler({ findEndpoint }))
  warnOfOtherInterceptors({ isMsw3: isOfMsw3(server) })
  // msw 3 ignores `onUnhandledRequest` and calls `onUnhandledFrame` instead.
  const options = {
    onUnhandledRequest: passOn,
    onUnhandledFrame: ({ frame }: { frame: Frame }) => passOn(toRequest(frame)),
  }
  try {
    server.listen(options)
  } catch (error) {
    server.close()
    throw error
  }
  const started = activeServer()
  // Again each time: msw has replaced the wrappers.
  interception.stopTracking?.()
  interception.stopTracking = trackRequests(warnIfForMock)
  replaceNamedImports()
  warnIfIncomplete()
  const hasBeenReplaced = () => activeServer() !== started
  return {
    hasBeenReplaced,
    stop() {
      // Closing it would also stop a server that has replaced it.
      if (!hasBeenReplaced() || activeServer() === undefined) server.close()
    },
  }
}

/** Throws for a request that may not go to the network. */
function passOn(request: Request): void {
  rejectUnhandled(request)
  markPassedOn()
}

function findEndpoint(request: Request): Listener | undefined {
  markIntercepted()
  return findListener(request)
}

/** With msw 3, a stub of fetch gets requests first: it opens no socket. */
function warnIfForMock(url: string): void {
  // If another msw server has replaced this one, `close` says so.
  if (listenersAt({ url }).length > 0 && !interception.server?.hasBeenReplaced()) warnOfOtherResponse()
}

function otherServer(): MockError {
  const reason =
    activeServer() === undefined
      ? 'Another msw server has replaced that of the mock, and was closed.'
      : 'Another msw server is listening, and only the newest one gets requests.'
  return new MockError(
    'OTHER_MSW_SERVER',
    `${reason} Pass it to the mock as the option server: setupPetstore({ server }), or petstoreOptions with ` +
      'petstore-mock/vitest.',
  )
}

let hasWarned = false

/** Some runtimes do not update named imports. The requests of such code would reach the network unnoticed. */
function warnIfIncomplete(): void {
  if (requestByName === http.request || hasWarned) return
  hasWarned = true
  console.warn(
    'petstore-mock cannot intercept every request on this runtime: functions imported by name from node:http, and a ' +
      'fetch function saved before listen(), may reach the network. Call http.request and the global fetch instead.',
  )
}

/** An unhandled HTTP request or WebSocket connection, in msw 3. */
interface Frame {
  readonly data: { readonly request?: Request; readonly connection?: { readonly client: { readonly url: URL } } }
}

function toRequest({ data }: Frame): Request {
  return data.request ?? new Request(String(data.connection?.client.url).replace(/^ws/, 'http'))
}

function findResponder(request: Request, mayBePassedOn: boolean): Responder | undefined {
  const listener = mayBePassedOn ? findListener(request) : findOrReject(request)
  return listener && ((requestWithBody, signal) => respond(listener, requestWithBody, { signal }))
}
