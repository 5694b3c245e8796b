/// <reference lib="esnext.disposable" preserve="true" />
import { setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { throwErrors } from '../../engine/control/unreported-errors.js'
import { type ApiError, apiError, invalidOption, MockError } from '../../http/errors.js'
import { makeAsyncDisposable } from '../../lib/functions.js'
import { connectionCarrier } from './carrier.js'
import { trackConnections } from './connections.js'
import { createExchange, type Exchange, type HttpVersion } from './exchange.js'
import { createGuard } from './guard.js'
import { isAnyAddress, isLoopbackHost, toHostName } from './host-names.js'
import type { ServerLimits, ServerSettings } from './options.js'
import { checkFraming, headersTooLarge, notProxy, requestTimedOut } from './read-request.js'
import { type CreatedMock, toServed } from './served.js'
import { switchBetween } from './several.js'
import type { Certificate } from './tls/certificate.js'
import { UnreadResponses } from './unread-responses.js'

/** What every server has, whatever it serves. */
export interface ListeningServer extends AsyncDisposable {
  /** The base URL, without a trailing slash. With `https` it starts with `https:`; `http:` works, too. */
  readonly url: string
  readonly port: number
  readonly host: string
  /** The token that the admin API requires, if it requires one. */
  readonly adminToken: string | undefined
  /**
   * The certificate (PEM) with `https`. A client that accepts it as `ca` trusts the server, unless it is an `httpsCert`
   * that another certificate has signed.
   */
  readonly certificate: string | undefined
  /** The file with the certificate. Undefined if it could not be written. */
  readonly certificateFile: string | undefined
  /**
   * Stops listening, waits until the requests in flight have their responses, and calls `check`, so a test fails for errors
   * that the code under test swallowed. Can be called more than once.
   */
  close(): Promise<void>
}

/** How long a response in flight may take once the server is closing. */
const CLOSE_TIMEOUT_MS = 5000

/** A server whose mocks can be replaced. */
export interface ReplaceableServer {
  readonly server: ListeningServer
  /** Requests from now on are for the new mock, which must be ready. Event streams and sessions with the old one end. */
  replace(index: number, created: CreatedMock): void
}

/** Serves mocks over HTTP: one, or several with names. */
export async function listenWith(
  settings: ServerSettings,
  created: readonly CreatedMock[],
): Promise<ReplaceableServer> {
  const tls = settings.https ? await import('./tls/index.js') : undefined
  tls?.checkRuntime()
  const storeCertificate = await tls?.prepareCertificate(settings)
  await Promise.all(created.map(({ mock }) => mock.ready))
  const { host, adminToken } = settings
  rejectItself(settings)
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const server = createHttpServer(settings)
  const connections = trackConnections(server, settings, closing.signal)
  const running = created.map((each) => serveMock(each, closing.signal))
  const errors: unknown[] = []
  const shared = {
    guard: createGuard(settings),
    connections,
    unread: new UnreadResponses(),
    closing: closing.signal,
    settings,
  }
  const switches: (() => void)[] = []
  function createExchangeFor(version: HttpVersion): Exchange {
    const create = () =>
      switchBetween(
        running.map(({ served }) => served),
        (each) => createExchange({ served: each, ...shared }, version),
      )
    let exchange = create()
    switches.push(() => {
      exchange = create()
    })
    return (request, response, ended) => exchange(request, response, ended)
  }
  const exchange = createExchangeFor(HTTP_1)
  const receive = (request: IncomingMessage, response: ServerResponse) =>
    connections.runInTurn(request, response, (ended) => exchange(request, response, ended))
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, receive)
  server.on('connect', (_request, socket: Socket) => connections.rejectAndClose(socket, notProxy()))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Bytes after a request with `Connection: close` are ignored.
    if (error.code === 'HPE_CLOSED_CONNECTION') return
    const reject = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? connections.rejectLate : connections.rejectAndClose
    reject(socket, toParserError(error, settings))
  })

  async function close(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    closing.abort()
    connections.closeIdle()
    const timeout = setTimeout(() => connections.closeAll(), CLOSE_TIMEOUT_MS)
    await closed
    clearTimeout(timeout)
  }

  async function closeAndCheck(): Promise<void> {
    await close()
    throwErrors([...errors, ...running.flatMap(({ mock }) => errorsOf(mock.check))])
  }

  let port: number
  let certificate: Certificate | undefined
  try {
    port = await listen(server, settings.port, host)
    // No connection can arrive before this, because nothing waits in between.
    certificate = storeCertificate?.()
    if (tls && certificate) {
      tls.sharePort({ server, connections, certificate, settings, exchange: createExchangeFor(tls.HTTP_2) })
    }
    // Not at the first admin request: if a module could not be loaded then, for lack of file descriptors, Node would never
    // try again. Not before listening: requests to the API do not need it.
    await Promise.all(created.map(({ importAdmin }) => importAdmin()))
  } catch (error) {
    await close()
    throw error
  }
  let closed: Promise<void> | undefined
  const closeOnce = (): Promise<void> => {
    closed ??= closeAndCheck()
    return closed
  }
  const listening = {
    url: `${tls ? 'https' : 'http'}://${toReachableHost(host)}:${port}`,
    port,
    host,
    adminToken,
    certificate: certificate?.cert,
    certificateFile: certificate?.file,
    close: closeOnce,
  }
  return {
    server: makeAsyncDisposable(listening, closeOnce),
    replace(index, next) {
      const [old] = running.splice(index, 1, serveMock(next, closing.signal))
      for (const renew of switches) renew()
      old?.end()
      errors.push(...(old ? errorsOf(old.mock.check) : []))
    },
  }
}

/** Serves a mock until it is replaced, or the server closes. */
function serveMock(created: CreatedMock, closing: AbortSignal) {
  const replaced = new AbortController()
  return {
    mock: created.mock,
    served: toServed(created, AbortSignal.any([closing, replaced.signal])),
    end(): void {
      replaced.abort()
      created.end()
    },
  }
}

/** What a function throws. */
function errorsOf(act: () => void): unknown[] {
  try {
    act()
    return []
  } catch (error) {
    return [error]
  }
}

/** A mock in front of itself would pass each request through to itself for ever. */
function rejectItself({ upstream, host, port }: ServerSettings): void {
  if (upstream === undefined) return
  const url = new URL(upstream)
  const isHere = isLoopbackHost(url.hostname) && (isLoopbackHost(host) || isAnyAddress(host))
  if (!isHere || (Number(url.port) || DEFAULT_PORTS[url.protocol]) !== port) return
  throw invalidOption('upstream', 'the address of another server than this one', upstream)
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

const HTTP_1: HttpVersion = { checkFraming, carrier: connectionCarrier }

const MAX_CHECK_INTERVAL_MS = 1000

function createHttpServer({ headersTimeoutMs, requestTimeoutMs, ...limits }: ServerLimits): Server {
  const interval = Math.min(MAX_CHECK_INTERVAL_MS, Math.ceil(Math.min(headersTimeoutMs, requestTimeoutMs) / 10))
  // Node may notice a timeout up to one interval late, so its timeouts are shorter than ours by that much.
  const requestTimeout = Math.max(1, requestTimeoutMs - interval)
  const server = createServer({
    // Node rejects headers of this size, not only larger ones.
    maxHeaderSize: limits.maxHeaderBytes + 1,
    headersTimeout: Math.max(1, Math.min(headersTimeoutMs - interval, requestTimeout)),
    requestTimeout,
    connectionsCheckingInterval: interval,
    keepAliveTimeout: limits.idleTimeoutMs,
    // The other adapters join repeated headers, too.
    joinDuplicateHeaders: true,
    // The guard rejects a request without a Host, with an error body like any other.
    requireHostHeader: false,
  })
  // Node would silently drop headers beyond its own limit. The exchange counts and rejects them.
  server.maxHeadersCount = 0
  // A client that ends its side after a request still gets the response. The property is not in Node's documentation: if a
  // version of Node lacks it, such a client gets no response that is delayed.
  return Object.assign(server, { httpAllowHalfOpen: true })
}

/** The error response for bytes that Node's HTTP parser rejects. */
function toParserError({ code }: NodeJS.ErrnoException, { maxHeaderBytes }: ServerLimits): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLarge(maxHeaderBytes)
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimedOut()
    case 'HPE_INVALID_VERSION':
      return apiError('VERSION_NOT_SUPPORTED', 'The request line must end with HTTP/1.1 or HTTP/1.0, then CR and LF.')
    case 'HPE_INVALID_METHOD':
      return apiError('BAD_REQUEST', 'The request must start with an HTTP method in capital letters.')
    default:
      return apiError('BAD_REQUEST', 'The request is not valid HTTP.')
  }
}

function toReachableHost(host: string): string {
  const name = toHostName(host)
  if (isAnyAddress(name)) return name === '[::]' ? '[::1]' : '127.0.0.1'
  return name
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code = 'unknown reason' }: NodeJS.ErrnoException) => {
      const reason = LISTEN_ERRORS[code] ?? code
      reject(new MockError('CANNOT_LISTEN', `Cannot listen on ${toHostName(host)}:${port}: ${reason}.`))
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use',
  EACCES: 'ports below 1024 require privileges',
  EADDRNOTAVAIL: 'the host is not an address of this machine',
  ENOTFOUND: 'the host is not an address of this machine',
}
