import { connect, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { type PetstoreServer, type ServerOptions, startServer } from '../../src/adapters/server/index.js'
import { version } from '../../src/lib/generated/version.js'
import { parseJson } from '../../src/lib/json.js'
import type { RunningMock } from './adapters.js'
import { type ApiResponse, expectError, expectNoLongEcho, expectUnchanged } from './client.js'

/** How long anything on a socket is waited for before the wait itself fails. Nothing here waits for a fixed time. */
const PATIENCE_MS = 15_000

/** Less than the server gives answers in flight when it closes: nothing is in flight where this is used. */
const CLOSING_MS = 4500

/** A connection on which bytes are sent as they are, and whose answers are read one by one. */
export interface RawConnection {
  send(bytes: string | Uint8Array): void
  /** Says that nothing more will be sent, and goes on reading. */
  end(): void
  /** Goes away without another word. */
  destroy(): void
  /** The next answer, a 100 included. The answer to a HEAD has no body, whatever its length says. */
  response(kind?: 'head'): Promise<ApiResponse>
  /** Every answer that comes before the other side hangs up. */
  rest(): Promise<ApiResponse[]>
}

/** Opens a connection to a server on this machine. It is given up when the running test ends. */
export async function openConnection(port: number): Promise<RawConnection> {
  // Half open, so that the server is seen to hang up by itself and not because this side did.
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
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
  // A reset shows as a connection that ended before its answer.
  socket.on('error', () => {})

  /** Looks whenever something arrives, until there is something to give back. */
  function wait<T>(what: string, find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        reject(new Error(`${what} ${why}; received: ${JSON.stringify(received.toString('latin1').slice(0, 500))}`))
      }
      const patience = setTimeout(fail, PATIENCE_MS, 'did not come in time')
      look = () => {
        try {
          const found = find()
          if (found !== undefined) resolve(found)
          else if (ended) fail('did not come before the connection ended')
          else return
        } catch (error) {
          reject(error)
        }
        clearTimeout(patience)
        look = () => {}
      }
      look()
    })
  }

  function takeAnswer(kind?: 'head'): ApiResponse | undefined {
    const parsed = parseAnswer(received, kind)
    if (parsed) received = received.subarray(parsed.length)
    return parsed?.answer
  }

  return {
    send: (bytes) => void socket.write(bytes),
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
    response: (kind) => wait('an answer', () => takeAnswer(kind)),
    async rest() {
      await wait('the end', () => ended || undefined)
      const responses: ApiResponse[] = []
      while (received.length > 0) responses.push(await wait('an answer', () => takeAnswer()))
      return responses
    },
  }
}

/** Sends bytes on a connection of their own and reads everything that comes until the server hangs up. */
export async function exchange(port: number, bytes: string | Uint8Array): Promise<ApiResponse[]> {
  const wire = await openConnection(port)
  wire.send(bytes)
  return wire.rest()
}

/** The lines of a request's head as they stand on the wire, and the body behind them. */
export function toHttpText(head: readonly string[], body = ''): string {
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** A server of its own for the running test, closed when that ends. */
export async function openServer(options: ServerOptions = {}): Promise<PetstoreServer & RunningMock> {
  const server = await startServer({ port: 0, validateResponses: true, ...options })
  onTestFinished(() => server.close())
  return { ...server, fetch: (path, init) => fetch(`http://127.0.0.1:${server.port}${path}`, init) }
}

/** Refused with exactly this one answer, hung up on, nothing changed, and the next client is answered. */
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

/** The server answers a plain request on a fresh connection. */
export async function expectServerResponds({ port }: { readonly port: number }): Promise<void> {
  const responses = await exchange(port, toHttpText(['GET /pets HTTP/1.1', 'Host: localhost', 'Connection: close']))
  expect(responses.map(({ status }) => status)).toStrictEqual([200])
}

/** The names of the headers that tell a browser what a page of another origin may do. */
export function accessControlOf(headers: Headers): string[] {
  return [...headers.keys()].filter((name) => name.startsWith('access-control-'))
}

/** Waits for a server that has nothing left to answer to close, and not for its patience with those that do. */
export function closeInTime(server: { close(): Promise<void> }): Promise<void> {
  return new Promise((resolve, reject) => {
    const patience = setTimeout(() => reject(new Error('the server did not close in time')), CLOSING_MS)
    server
      .close()
      .then(resolve, reject)
      .finally(() => clearTimeout(patience))
  })
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

/** The first answer of what was received and the bytes it takes, or undefined while part of it is missing. */
function parseAnswer(received: Buffer, kind?: 'head'): { answer: ApiResponse; length: number } | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [statusLine = '', ...headerLines] = received.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1])
  if (Number.isNaN(status)) throw new Error(`not an answer: ${JSON.stringify(statusLine)}`)
  const headers = new Headers(headerLines.map(splitHeader))
  const hasBody = kind !== 'head' && status >= 200 && status !== 204
  if (hasBody && !headers.has('content-length')) throw new Error(`an answer of status ${status} without a length`)
  const bodyStart = headEnd + 4
  const length = bodyStart + (hasBody ? Number(headers.get('content-length')) : 0)
  if (received.length < length) return undefined
  const text = received.toString('utf8', bodyStart, length)
  return { answer: { status, headers, text, body: text === '' ? undefined : parseJson(text) }, length }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
}
