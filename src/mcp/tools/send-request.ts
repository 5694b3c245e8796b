import { isAdminPath } from '../../http/address.js'
import { MockError } from '../../http/errors.js'
import { stringifyJson } from '../../lib/json.js'
import { fitBody } from '../fit.js'
import { CHANGES, type Tool, type ToolContext } from '../tool.js'

interface Arguments {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly timeoutMs?: number
}

const DEFAULT_TIMEOUT_MS = 10_000

/** In place of the path of the base URL. */
const BASE = '/base'

export const sendRequest: Tool = {
  name: 'send_request',
  description: 'Send a request to the mocked service and get its response. It is recorded like those of your code.',
  annotations: CHANGES,
  inputSchema: {
    type: 'object',
    required: ['path'],
    additionalProperties: false,
    properties: {
      method: { type: 'string', minLength: 1, description: 'Default is GET.' },
      path: { type: 'string', pattern: '^/', description: 'Path and query, below the base URL.' },
      headers: { type: 'object', additionalProperties: { type: 'string' } },
      body: { description: 'Sent as JSON; a text is sent as it is.' },
      timeoutMs: { type: 'integer', minimum: 1, maximum: 60_000, description: `Default is ${DEFAULT_TIMEOUT_MS}.` },
    },
  },
  outputSchema: {
    type: 'object',
    required: ['url', 'status', 'headers'],
    additionalProperties: false,
    properties: {
      url: { type: 'string' },
      status: { type: 'integer' },
      headers: { type: 'object', additionalProperties: { type: 'string' } },
      body: { description: 'The value of a JSON body, the text of any other.' },
      leftOut: { type: 'integer', description: 'How many characters of the body are missing here.' },
    },
  },
  async call({ mock }: ToolContext, { method = 'GET', path, headers = {}, body, timeoutMs }: Arguments) {
    // As `fetch` reads it: dots lead to another path.
    const { pathname } = new URL(`http://mock${BASE}${path}`)
    if (!pathname.startsWith(`${BASE}/`)) {
      throw new MockError('INVALID_REQUEST', '/path leads out of the base URL.')
    }
    if (isAdminPath(pathname.slice(BASE.length))) {
      throw new MockError('INVALID_REQUEST', '/path belongs to the admin API. Use the other tools.')
    }
    const text = typeof body === 'string' ? body : stringifyJson(body)
    const timeout = AbortSignal.timeout(timeoutMs ?? DEFAULT_TIMEOUT_MS)
    const init = {
      method,
      headers: withType(headers, text),
      signal: timeout,
      ...(text !== undefined && { body: text }),
    }
    try {
      const response = await mock.fetchApi(path, init)
      const received = Object.fromEntries(response.headers)
      const fitted = fitBody(await response.text(), response.headers.get('content-type'))
      return { url: mock.baseUrl + path, status: response.status, headers: received, ...fitted }
    } catch (error) {
      throw noResponse(`${method} ${path}`, error, timeout.aborted && (timeoutMs ?? DEFAULT_TIMEOUT_MS))
    }
  },
}

function withType(headers: Readonly<Record<string, string>>, body: string | undefined) {
  const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  return body === undefined || isGiven ? headers : { 'Content-Type': 'application/json', ...headers }
}

/** What a client sees of a simulated failure, or of a request that no client can send. */
function noResponse(request: string, error: unknown, timedOutAfter: number | false): Error {
  if (timedOutAfter !== false) {
    return new MockError('TIMEOUT', `${request} got no response within ${timedOutAfter} ms.`)
  }
  const { message, cause } = error as Error
  const reason = cause instanceof Error ? cause.message : message
  return new MockError('INVALID_REQUEST', `${request} got no response: ${reason}.`)
}
