import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js'
import { version } from '../generated/lib/version.js'
import { MAX_ADMIN_BODY_BYTES } from '../http/limits.js'
import type { Outcome, PlainRequest } from '../http/messages.js'
import { toBytes } from '../lib/text.js'
import { cancelledId } from './cancelled.js'
import type { McpEndpoint, ServedMock } from './served-mock.js'
import { createSandboxName, createSession, inProcess, type ServiceTools } from './session.js'

export { createServiceTools, describeService } from './session.js'

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** Each responds to a request that would otherwise wait for ever when the session ends. */
  readonly waiting: Set<(outcome: Outcome) => void>
  end(): void
}

/** Serves the protocol over HTTP. Each session has a sandbox, whose name is that of the session. */
export function createMcpEndpoint(mock: ServedMock, tools: ServiceTools, closing: AbortSignal): McpEndpoint {
  /** Those that have been initialized. */
  const sessions = new Map<string, Session>()
  const hasSandbox = (name: string): boolean => mock.sandboxes.has(name)
  closing.addEventListener('abort', () => endSessions(() => true))

  function endSessions(isOver: (name: string) => boolean): void {
    for (const [name, session] of sessions) if (isOver(name)) session.end()
  }

  async function open(request: PlainRequest): Promise<Session> {
    // The mock removes sandboxes that nobody uses: such as those of clients that disconnected.
    endSessions((name) => !hasSandbox(name))
    const url = baseUrlOf(request)
    const name = createSandboxName()
    const server = createSession(inProcess(url, mock, name), tools)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => name,
      // Not `enableJsonResponse`, with which version 1.32.2 keeps something of every request.
      onsessioninitialized() {
        mock.sandboxes.open(name)
        sessions.set(name, session)
      },
    })
    const session: Session = { transport, waiting: new Set(), end: () => void server.close() }
    server.onclose = () => {
      sessions.delete(name)
      if (hasSandbox(name)) mock.sandboxes.delete(name)
      for (const respond of session.waiting) respond(sessionOver())
    }
    await server.connect(transport)
    answerCancelled(transport)
    return session
  }

  return async (request) => {
    const { method, body, headers } = request
    if (!METHODS.includes(method)) {
      return fail(405, `${method.slice(0, 20)} is not allowed here. Allowed: ${ALLOW}.`, { Allow: ALLOW })
    }
    if (body === 'too large') return fail(413, `The message exceeds ${MAX_ADMIN_BODY_BYTES} bytes.`)
    const name = headers['mcp-session-id']
    if (name !== undefined && !hasSandbox(name)) sessions.get(name)?.end()
    const session = name === undefined ? await open(request) : sessions.get(name)
    if (session === undefined) return sessionOver()
    const responded = session.transport.handleRequest(toWebRequest(request)).then(toOutcome)
    return method === 'DELETE' ? responded : orSessionOver(responded, session)
  }
}

/** Not a race with a promise of the session, which would keep every response as long as the session lasts. */
function orSessionOver(responded: Promise<Outcome>, { waiting }: Session): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    waiting.add(resolve)
    responded.then(resolve, reject).finally(() => waiting.delete(resolve))
  })
}

/** `GET` would open a stream for messages of the server, which it does not send. */
const METHODS = ['POST', 'DELETE']
const ALLOW = METHODS.join(', ')

/** The protocol wants no response to a cancelled request, but HTTP does. */
function answerCancelled(transport: WebStandardStreamableHTTPServerTransport): void {
  const { onmessage } = transport
  transport.onmessage = (message, extra) => {
    onmessage?.(message, extra)
    const id = cancelledId(message)
    if (id === undefined) return
    const error = { code: ErrorCode.ConnectionClosed, message: 'The request was cancelled.' }
    // It fails if there has been a response.
    transport.send({ jsonrpc: '2.0', id, error }).catch(() => {})
  }
}

/** Where the client reached the server, so its code can, too. */
function baseUrlOf({ protocol, headers, base }: PlainRequest): string {
  return `${protocol === undefined ? 'http' : 'https'}://${headers.host}${base}`
}

const USED_HEADERS = ['accept', 'content-type', 'mcp-session-id', 'mcp-protocol-version']

function toWebRequest({ method, headers, body }: PlainRequest): Request {
  const used = USED_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]))
  const sent = body instanceof Uint8Array ? { body: new Uint8Array(body) } : {}
  return new Request('http://localhost/', { method, headers: Object.fromEntries(used), ...sent })
}

async function toOutcome(response: Response): Promise<Outcome> {
  return respond(response.status, await response.text(), Object.fromEntries(response.headers))
}

const sessionOver = (): Outcome => fail(404, 'The session is over, or has never been. Initialize a new one.')

function fail(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Outcome {
  const error = { code: ErrorCode.ConnectionClosed, message }
  const type = { 'Content-Type': 'application/json' }
  return respond(status, JSON.stringify({ jsonrpc: '2.0', error, id: null }), { ...type, ...headers })
}

function respond(status: number, body: string, headers: Readonly<Record<string, string>>): Outcome {
  const added = {
    'Content-Length': String(toBytes(body).length),
    'Cache-Control': 'no-store',
    'X-Petstore-Mock': version,
  }
  return { response: { status, headers: { ...headers, ...added }, body }, trace: {} }
}
