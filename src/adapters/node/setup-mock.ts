import { type ConnectedMocks, connectTo } from '../../engine/instance/neighbours.js'
import { createMock, type Mock } from '../../engine/mock/mock.js'
import { BOOLEAN, type OptionRows } from '../../engine/options.js'
import type { ServiceDefinition, ServiceTypes } from '../../engine/service.js'
import { resolveBaseAddresses } from '../../http/base-address.js'
import { invalidOption, MockError } from '../../http/errors.js'
import { makeDisposable, once } from '../../lib/functions.js'
import { createHandler } from '../msw/handlers.js'
import { BASE_URL, type InterceptionOptions, splitOptions } from '../msw/options.js'
import { createUpstream } from '../upstream/create-upstream.js'
import {
  checkUpstreamOptions,
  type ResolvedUpstreamOptions,
  UPSTREAM_OPTIONS,
  type UpstreamOptions,
} from '../upstream/options.js'
import { captureCallSite } from './call-sites.js'
import { createSandboxFollower, nameRoutedSandbox } from './incoming-sandbox.js'
import { startListening, stopListening } from './interceptor.js'
import { isForOtherMock, type Listener, runFor } from './listeners.js'
import { isOwnServer, type OwnServer } from './own-server.js'
import { checkUnlessReported, errorsOfJestTest, type ForgottenCall, forget, remindAtEnd } from './runner.js'

/**
 * Lets a client cancel the body of a response: `await response.body.cancel()`, or leaving a `for await` early. msw 2 splits
 * the body in two, one for the client and one for its own events, and such a half is cancelled only together with the other.
 */
function makeCancellable(body: ReadableStream<Uint8Array>): void {
  const tee = body.tee.bind(body)
  Object.defineProperty(body, 'tee', {
    value() {
      const [forClient, forEvents] = tee()
      return [toIndependent(forClient), forEvents]
    },
  })
}

/** A byte stream, like the body of a response from the network. */
function toIndependent(half: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = half.getReader()
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) {
          controller.close()
          // Ends a read into a buffer of the client.
          controller.byobRequest?.respond(0)
          return
        }
        // A byte stream rejects empty parts, and takes the memory of a part away from all others that use it.
        if (value.length > 0) return controller.enqueue(new Uint8Array(value))
      }
    },
    // Not awaited: it waits for the other half.
    cancel: (reason) => void reader.cancel(reason).catch(() => {}),
  })
}

/** What the options of a mock that intercepts requests have beside those of every mock. */
export interface NodeInterceptionOptions extends InterceptionOptions, UpstreamOptions {
  /**
   * A request to another address: `error` blocks it and fails the test, `bypass` sends it to the network, `warn` prints a
   * warning as well, a function decides for each request. Default: `error`.
   */
  onUnhandledRequest?: 'error' | 'warn' | 'bypass' | ((request: Request) => 'error' | 'warn' | 'bypass')
  /**
   * Your own msw server, for mocking other services beside this one. It intercepts the requests, and its own setting says
   * what happens to unhandled ones. Call its `listen` and `close` yourself, in any order with those of the mock. Default:
   * none.
   */
  server?: OwnServer
  /**
   * For a server that renders pages: a request that names no sandbox goes to the sandbox of the incoming request which
   * the process is handling. Default: `false`.
   */
  followSandboxes?: boolean
  /**
   * Other mocks that the handlers of the service use, by name: `{ billing }`. Two that use each other can share one object,
   * which is read at each use. Default: none.
   */
  services?: ConnectedMocks
}

/** A mock that intercepts the requests of this process to its base URL. */
export interface NodeMock<T extends ServiceTypes> extends Mock<T>, Disposable {
  /** Starts intercepting requests. Does nothing if the mock is already listening. */
  listen(): void
  /**
   * Stops intercepting requests and calls `check`, so a test fails for errors that the code under test swallowed. The
   * last mock to close restores the original `fetch`, `node:http` and undici; with `petstore-mock/vitest`, the end of the
   * suite does, and requests that a test makes after `close` are rejected.
   */
  close(): void
  /** Runs code whose requests go to this mock, even while other mocks listen at the same address. */
  run<T>(callback: () => T): T
  /** Handlers for your own msw server; use them instead of `listen`. */
  // biome-ignore lint/suspicious/noExplicitAny: the type of msw would have to be installed, and compile in every project
  readonly handlers: readonly any[]
}

/** `callee` is the function that the user calls. */
export function setupMockFor<T extends ServiceTypes>(
  service: ServiceDefinition<T>,
  options: T['options'] & NodeInterceptionOptions,
  callee: (...parameters: never) => unknown,
): NodeMock<T> {
  const { own, mockOptions } = splitOptions(service, options, OPTIONS)
  if (own.server !== undefined && options.onUnhandledRequest !== undefined) {
    throw invalidOption('onUnhandledRequest', 'omitted with the option server', options.onUnhandledRequest)
  }
  // In jsdom there is a page that a base URL may be relative to.
  const addresses = resolveBaseAddresses(own.baseUrl, globalThis.location?.href)
  checkUpstreamOptions(own)
  const connect = own.services && connectTo(own.services)
  const { mock, documentPaths, reportError } = createMock(
    service,
    mockOptions,
    connect,
    createUpstream(own, service.contract),
  )
  const { server } = own
  // With the user's own server, that server decides.
  const onUnhandledRequest = server === undefined ? own.onUnhandledRequest : 'bypass'
  const follower = own.followSandboxes ? createSandboxFollower(addresses, documentPaths) : undefined
  follower?.start()
  const listener: Listener = {
    mock,
    addresses,
    ...(follower && { prepare: follower.follow }),
    onBody: makeCancellable,
    reportError,
    server,
    listenedAt: {},
    onUnhandledRequest: typeof onUnhandledRequest === 'function' ? onUnhandledRequest : () => onUnhandledRequest,
  }
  const findListener = (request: Request) =>
    addresses.find(request.url) && !isForOtherMock(listener, request) ? listener : undefined

  const { check: checkMock, fetch: fetchFromMock } = mock
  /** Whether requests can have reached the mock. */
  let isConnected = false

  const stop = () => {
    follower?.stop()
    stopListening(listener)
  }
  const remind = (call: ForgottenCall) =>
    // A server that renders pages has no reason to close its mock.
    remindAtEnd(listener, follower === undefined ? call : { ...call, describe: () => undefined, stop })

  remind({
    code: 'NOT_LISTENING',
    describe: () => (isUnused() ? `${NEVER_LISTENING} It was created` : undefined),
    callSite: captureCallSite(callee),
  })
  // A mock without data is of no use, and its error says more.
  mock.ready.catch(() => isConnected || forget(listener))

  function isUnused(): boolean {
    // Requests for no operation are only in the journal, which a reset empties.
    return mock.journal.total === 0 && mock.coverage().summary.operations.exercised === 0
  }

  function listen(): void {
    isConnected = true
    follower?.start()
    const callSite = captureCallSite(listen)
    listener.listenedAt = callSite
    forget(listener)
    startListening(listener)
    follower?.startNaming()
    remind({ code: 'NOT_CLOSED', describe: () => NOT_CLOSED, callSite, stop })
  }

  function check(): void {
    if (!isConnected) {
      forget(listener)
      if (isUnused()) reportError(new MockError('NOT_LISTENING', NEVER_LISTENING))
    }
    checkUnlessReported(checkMock, errorsOfJestTest())
  }

  function close(): void {
    stop()
    forget(listener)
    check()
  }

  const nodeMock = Object.assign(mock, {
    listen,
    check,
    close,
    fetch: (...sent: Parameters<typeof fetchFromMock>) => fetchFromMock(...nameRoutedSandbox(sent)),
    run: <T>(callback: () => T) => runFor(listener, callback),
  })
  const handlers = once(() => [createHandler({ findEndpoint: findListener })])
  Object.defineProperty(nodeMock, 'handlers', {
    // Not enumerable: a copy of all properties does not use it.
    get() {
      if (!isConnected) forget(listener)
      isConnected = true
      return handlers()
    },
  })
  return makeDisposable(nodeMock as NodeMock<T>, close)
}

const NEVER_LISTENING = 'The mock was never listening, so no request reached it. Call listen() first.'

const NOT_CLOSED =
  'A mock was not closed. Call its close() after all tests, or use petstore-mock/jest or petstore-mock/vitest, which do. ' +
  'Its listen() was called'

interface OwnOptions
  extends Required<Pick<NodeInterceptionOptions, 'baseUrl' | 'onUnhandledRequest' | 'followSandboxes'>>,
    ResolvedUpstreamOptions {
  server: OwnServer | undefined
  services: ConnectedMocks | undefined
}

const OPTIONS: OptionRows<OwnOptions> = {
  baseUrl: BASE_URL,
  onUnhandledRequest: [
    'error',
    (value) => ['error', 'warn', 'bypass'].includes(value as string) || typeof value === 'function',
    "'error', 'warn', 'bypass' or a function",
  ],
  server: [
    undefined,
    (value) => value === undefined || isOwnServer(value),
    'an msw server, as setupServer of msw/node returns it',
  ],
  services: [
    undefined,
    (value) => value === undefined || (typeof value === 'object' && value !== null),
    'an object with mocks by name, such as { billing }',
  ],
  followSandboxes: [false, ...BOOLEAN],
  ...UPSTREAM_OPTIONS,
}
