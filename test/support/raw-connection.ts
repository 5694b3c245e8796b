import { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, vi } from 'vitest'
import { type PetstoreServer, type ServerOptions, startServer } from '../../src/adapters/server/index.js'
import { version } from '../../src/generated/lib/version.js'
import { parseJson } from '../../src/lib/json.js'
import type { RunningMock } from './adapters.js'
import { type ApiResponse, expectError, expectNoLongEcho, expectUnchanged } from './client.js'

/** The longest a test waits for something on a socket before it fails. */
const TIMEOUT_MS = 30_000

/** A connection that sends bytes as they are, and reads responses one by one. */
export interface RawConnection {
  send(bytes: string | Uint8Array): void
  /** Ends the sending side and keeps reading. */
  end(): void
  destroy(): void
  /** The next response, including 100 Continue. Pass 'head' for the response to HEAD, which has a length but no body. */
  response(kind?: 'head'): Promise<ApiResponse>
  /** The remaining responses, until the server closes the connection. */
  rest(): Promise<ApiResponse[]>
}

/** Opens a connection to a server on this machine, closed when the running test ends. */
export async function openConnection(port: number, host = '127.0.0.1'): Promise<RawConnection> {
  // Half open, so that the server closes the connection by itself and not because this side did.
  const socket = connect({ port, host, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  let received = Buffer.alloc(0)
  let ended = false
  let look = (): void => {}
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    look()
  })
  for (const event of ['end', 'close']) {
    socket.on(event, () => {
      ended = true
      look()
    })
  }
  await connected(socket)
  // A reset shows as a connection that ended before its response.
  socket.on('error', () => {})

  /** Calls `find` whenever something arrives, until it returns a value. */
  function wait<T>(what: string, find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        reject(new Error(`${what} ${why}; received: ${JSON.stringify(received.toString('latin1').slice(0, 500))}`))
      }
      const timeout = setTimeout(fail, TIMEOUT_MS, 'did not arrive in time')
      look = () => {
        try {
          const found = find()
          if (found !== undefined) resolve(found)
          else if (ended) fail('did not arrive before the connection ended')
          else return
        } catch (error) {
          reject(error)
        }
        clearTimeout(timeout)
        look = () => {}
      }
      look()
    })
  }

  function takeResponse(kind?: 'head'): ApiResponse | undefined {
    const parsed = parseResponse(received, kind)
    if (parsed) received = received.subarray(parsed.length)
    return parsed?.response
  }

  return {
    send: (bytes) => void socket.write(bytes),
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
    response: (kind) => wait('A response', () => takeResponse(kind)),
    async rest() {
      await wait('The end of the connection', () => ended || undefined)
      const responses: ApiResponse[] = []
      while (received.length > 0) responses.push(await wait('A response', () => takeResponse()))
      return responses
    },
  }
}

/** Sends bytes on a new connection and reads the responses until the server closes it. */
export async function exchange(port: number, bytes: string | Uint8Array): Promise<ApiResponse[]> {
  const wire = await openConnection(port)
  wire.send(bytes)
  return wire.rest()
}

/** The bytes of a request: the lines of its head, and its body. */
export function toHttpText(head: readonly string[], body = ''): string {
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** Starts a server that is closed when the running test ends. */
export async function openServer(options: ServerOptions = {}): Promise<PetstoreServer & RunningMock> {
  const server = await startServer({ port: 0, validateResponses: true, ...options })
  onTestFinished(() => server.close())
  return { ...server, fetch: (path, init) => fetch(`http://127.0.0.1:${server.port}${path}`, init) }
}

/** Expects one error response and a closed connection, no change of state, and a server that still responds. */
export async function expectBytesRejected(
  server: PetstoreServer & RunningMock,
  bytes: string,
  status: number,
  code: string,
  mentioning?: string | RegExp,
): Promise<ApiResponse> {
  const responses = await expectUnchanged(server, () => exchange(server.port, Buffer.from(bytes, 'latin1')))
  expect(responses.map((response) => response.status)).toStrictEqual([status])
  const response = responses[0] as ApiResponse
  expectError(response, status, code, mentioning)
  expect(response.headers.get('x-petstore-mock')).toBe(version)
  expectNoLongEcho(response, [bytes])
  await expectServerResponds(server)
  return response
}

/** Expects a response to a plain request on a new connection. */
export async function expectServerResponds({ port }: { readonly port: number }): Promise<void> {
  const responses = await exchange(port, toHttpText(['GET /pets HTTP/1.1', 'Host: localhost', 'Connection: close']))
  expect(responses.map(({ status }) => status)).toStrictEqual([200])
}

/** The names of the CORS headers. */
export function accessControlOf(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => name.startsWith('access-control-'))
}

/**
 * Closes a server that has no responses in flight. If it waits for one anyway, the test fails with a timeout, because the
 * server cannot break the connection as it would after a few seconds.
 */
export async function closeIdleServer(server: { close(): Promise<void> }): Promise<void> {
  const closeAll = vi.spyOn(Server.prototype, 'closeAllConnections').mockImplementation(() => {})
  onTestFinished(() => closeAll.mockRestore())
  await server.close()
  expect(closeAll).not.toHaveBeenCalled()
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve()
    })
    socket.once('error', reject)
  })
}

/** The first response in the received bytes and its length, or undefined while it is incomplete. */
function parseResponse(received: Buffer, kind?: 'head'): { response: ApiResponse; length: number } | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [statusLine = '', ...headerLines] = received.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
  if (Number.isNaN(status)) throw new Error(`Not a response: ${JSON.stringify(statusLine)}`)
  const headers = new Headers(headerLines.map(splitHeader))
  const hasBody = kind !== 'head' && status >= 200 && status !== 204
  if (hasBody && !headers.has('content-length')) throw new Error(`A response with status ${status} has no length.`)
  const bodyStart = headEnd + 4
  const length = bodyStart + (hasBody ? Number(headers.get('content-length')) : 0)
  if (received.length < length) return undefined
  const text = received.toString('utf8', bodyStart, length)
  return { response: { status, headers, text, body: text === '' ? undefined : parseJson(text) }, length }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
}
