import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiError, MockError } from '../../engine/contract/errors.js'
import { createPetstoreMock, type Petstore } from '../../petstore/create-petstore.js'
import { trackConnections } from './connections.js'
import { createExchange } from './exchange.js'
import { createGuard, isEveryAddress, isLoopbackHost, toHostName } from './guard.js'
import { keepTicksFast } from './keep-ticks-fast.js'
import { resolveServerOptions, type ServerLimits, type ServerOptions } from './options.js'
import { createPages } from './pages.js'
import { answerAndClose, toParserError } from './unreadable.js'

export interface PetstoreServer {
  /** The address to reach it at, without a trailing slash. */
  readonly url: string
  readonly port: number
  readonly host: string
  /** The pet store behind it. */
  readonly petstore: Petstore
  /** What the control plane asks for, where it asks for anything. */
  readonly adminToken: string | undefined
  /** Takes no new connections, finishes what is in flight and resolves; a second call waits for the same end. */
  close(): Promise<void>
}

/** How long an answer in flight may take once the server is closing. */
const GRACE_MS = 5000

/** Serves a pet store over HTTP. Resolves once it can be reached, rejects with a MockError where it cannot. */
export async function startServer(options: ServerOptions = {}): Promise<PetstoreServer> {
  const { server: settings, petstore: petstoreOptions } = resolveServerOptions(options)
  const { mock: petstore, reportError } = createPetstoreMock(petstoreOptions)
  await petstore.ready
  keepTicksFast()
  const { host, onRequest } = settings
  const adminToken = settings.adminToken ?? (isLoopbackHost(host) ? undefined : crypto.randomUUID())
  const guard = createGuard({ ...settings, adminToken })
  let closing: Promise<void> | undefined
  const { exchange, endStreams } = createExchange({
    petstore,
    guard,
    pages: createPages(),
    onRequest,
    reportError,
    isClosing: () => closing !== undefined,
    limits: settings,
    onLast: (socket) => connections.stopReading(socket),
  })

  const server = createHttpServer(settings)
  const connections = trackConnections(server, settings.maxConnections)
  const receive = (request: IncomingMessage, response: ServerResponse) =>
    connections.inTurn(request, response, (answered) => exchange(request, response, answered))
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, receive)
  server.on('connect', (_request, socket) => {
    const error = apiError('METHOD_NOT_ALLOWED', 'this server is not a proxy', { Allow: 'OPTIONS' })
    connections.conclude(socket, () => answerAndClose(socket, error))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // What comes after a request that ends its connection is not read, let alone answered.
    if (error.code === 'HPE_CLOSED_CONNECTION') return
    connections.conclude(socket, () => answerAndClose(socket, toParserError(error)))
  })

  async function close(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    endStreams()
    connections.endUnused()
    const impatience = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    await closed
    clearTimeout(impatience)
  }

  const port = await listen(server, settings.port, host)
  return {
    url: `http://${toReachable(host)}:${port}`,
    port,
    host,
    petstore,
    adminToken,
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** The longest pause between two looks for requests that take too long. */
const CHECKING_MS = 1000

function createHttpServer(limits: ServerLimits): Server {
  const { headersTimeoutMs, requestTimeoutMs } = limits
  const interval = Math.min(CHECKING_MS, Math.ceil(Math.min(headersTimeoutMs, requestTimeoutMs) / 10))
  // What Node finds to be late has been so for up to an interval: with one less it is cut no later than was said.
  const requestTimeout = Math.max(1, requestTimeoutMs - interval)
  const server = createServer({
    // Node refuses as soon as this many are reached.
    maxHeaderSize: limits.maxHeaderBytes + 1,
    headersTimeout: Math.max(1, Math.min(headersTimeoutMs - interval, requestTimeout)),
    requestTimeout,
    connectionsCheckingInterval: interval,
    keepAliveTimeout: limits.idleTimeoutMs,
    // As in the other adapters: where a header is given twice, both count.
    joinDuplicateHeaders: true,
    // A request without a Host is refused by the guard, in the error shape.
    requireHostHeader: false,
  })
  // Node would drop those beyond its own limit without a word; ours are counted, and refused.
  server.maxHeadersCount = 0
  return server
}

function toReachable(host: string): string {
  if (isEveryAddress(host)) return host === '::' ? '[::1]' : '127.0.0.1'
  return toHostName(host)
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new MockError('CANNOT_LISTEN', `Cannot listen on ${toHostName(host)}:${port}: ${explain(error)}.`))
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

function explain({ code }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRINUSE':
      return 'the port is in use'
    case 'EACCES':
      return 'ports below 1024 require privileges'
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'the host is not an address of this machine'
    default:
      return code ?? 'unknown reason'
  }
}
