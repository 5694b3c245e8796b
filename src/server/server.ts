import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError, MockError } from '../contract/errors.js'
import type { PlainResponse, RequestHeaders } from '../contract/messages.js'
import { toErrorResponse } from '../core.js'
import { createPetstore, type Petstore } from '../petstore.js'
import { corsHeaders } from './cors.js'
import { createGuard, isLoopbackHost, toHostName, type Visitor } from './guard.js'
import { resolveServerOptions, type ServerOptions } from './options.js'
import { hasBody, readBody } from './read-body.js'
import { type ParsedTarget, parseTarget } from './target.js'
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
  const petstore = createPetstore(petstoreOptions)
  await petstore.ready
  const { host, onRequest } = settings
  const adminToken = settings.adminToken ?? (isLoopbackHost(host) ? undefined : crypto.randomUUID())
  const guard = createGuard({ ...settings, adminToken })
  let closing: Promise<void> | undefined

  function answer(request: IncomingMessage, response: ServerResponse, body?: Uint8Array | 'too large'): void {
    const startedAt = performance.now()
    const target = parseTarget(request.url ?? '/')
    const reply = respond(petstore, guard, request, target, body)
    const headers = closing ? { ...reply.headers, Connection: 'close' } : reply.headers
    response.writeHead(reply.status, headers)
    response.end(reply.body)
    onRequest?.({
      method: request.method ?? '',
      target: request.url ?? '',
      operation: reply.operation,
      status: reply.status,
      durationMs: performance.now() - startedAt,
      failure: reply.failure,
    })
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    if (!hasBody(request)) {
      answer(request, response)
      return
    }
    readBody(request, petstore.options.maxBodyBytes, (body, readAll) => {
      if (!readAll) closeAfter(response, request)
      answer(request, response, body)
    })
  }

  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    connectionsCheckingInterval: 1000,
    // A request without a Host is refused by the guard, in the error shape.
    requireHostHeader: false,
  })
  server.on('request', receive)
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (Number(request.headers['content-length'] ?? 0) > petstore.options.maxBodyBytes) {
      closeAfter(response, request)
      answer(request, response, 'too large')
      return
    }
    response.writeContinue()
    receive(request, response)
  })
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const reply = toErrorResponse(new ApiError('EXPECTATION_FAILED', 'the only expectation met is 100-continue'))
    closeAfter(response, request)
    response.writeHead(reply.status, reply.headers)
    response.end(reply.body)
  })
  server.on('connect', (_request, socket) => {
    answerAndClose(socket, new ApiError('METHOD_NOT_ALLOWED', 'this server is not a proxy', { Allow: 'OPTIONS' }))
  })
  server.on('clientError', (error, socket) => answerAndClose(socket, toParserError(error)))

  const port = await listen(server, settings.port, host)
  return {
    url: `http://${toHostName(host)}:${port}`,
    port,
    host,
    petstore,
    adminToken,
    close() {
      closing ??= close(server)
      return closing
    },
  }
}

/** The guard, then the core: the plain answer to a request, ready to be written. */
function respond(
  petstore: Petstore,
  guard: (request: IncomingMessage, target: ParsedTarget) => Visitor,
  request: IncomingMessage,
  target: ParsedTarget,
  body: Uint8Array | 'too large' | undefined,
): PlainResponse {
  try {
    const { crossOrigin } = guard(request, target)
    const reply = petstore.handle({
      method: request.method ?? '',
      path: target.path,
      query: target.query,
      base: '',
      headers: request.headers as RequestHeaders,
      ...(body !== undefined && { body }),
    })
    if (crossOrigin === undefined) return reply
    return { ...reply, headers: { ...reply.headers, ...corsHeaders(request, crossOrigin, reply.headers.Allow) } }
  } catch (error) {
    if (error instanceof ApiError) return toErrorResponse(error)
    throw error
  }
}

/** For an answer that leaves part of its request unread: what follows on the connection would be taken for another. */
function closeAfter(response: ServerResponse, request: IncomingMessage): void {
  response.shouldKeepAlive = false
  response.once('finish', () => request.destroy())
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new MockError('CANNOT_LISTEN', `cannot listen on ${toHostName(host)}:${port}: ${explain(error)}`))
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

function explain({ code }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRINUSE':
      return 'the port is in use, choose another one or 0 for any that is free'
    case 'EACCES':
      return 'the port needs privileges, choose one above 1023'
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return 'the host is not an address of this machine'
    default:
      return code ?? 'the system refuses it'
  }
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const impatience = setTimeout(() => server.closeAllConnections(), GRACE_MS)
    server.close(() => {
      clearTimeout(impatience)
      resolve()
    })
    server.closeIdleConnections()
  })
}
