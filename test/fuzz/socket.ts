import { connect } from 'node:net'
import { parseJson } from '../../src/lib/json.js'
import type { ApiResponse } from '../support/client.js'

/** The time limit for a response or for closing the connection. */
const TIMEOUT_MS = 30_000

/**
 * A server that has sent nothing for this many turns of the event loop is waiting for more data. Not milliseconds: on a
 * busy machine they could pass before the server, which is in the same process, has read the request.
 */
const QUIET_TURNS = 4

/** The received bytes, and whether the server closed the connection. */
export interface Received {
  readonly bytes: Buffer
  readonly isClosed: boolean
}

/**
 * Sends bytes in several writes on a new connection, and reads until `isComplete` or until the server closes it. Without
 * `isComplete`, the client ends its side of the connection once the server is quiet.
 */
export function exchange(
  port: number,
  pieces: readonly Uint8Array[],
  isComplete?: (bytes: Buffer) => boolean,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    let bytes = Buffer.alloc(0)
    let quietTurns = 0
    let isFinished = false
    const timer = setTimeout(
      () => fail(new Error('The server neither responded nor closed the connection.')),
      TIMEOUT_MS,
    )

    function stop(): void {
      clearTimeout(timer)
      isFinished = true
      socket.destroy()
    }
    function fail(error: Error): void {
      stop()
      reject(error)
    }
    function finish(isClosed: boolean): void {
      stop()
      resolve({ bytes, isClosed })
    }
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      quietTurns = 0
      if (isComplete?.(bytes)) finish(false)
    })
    socket.on('end', () => finish(true))
    socket.on('close', () => finish(true))
    // A connection reset, or a write to a closed connection, counts as the end.
    socket.on('error', (error: NodeJS.ErrnoException) => (error.syscall === 'connect' ? fail(error) : finish(true)))
    socket.on('connect', () => void write())

    async function write(): Promise<void> {
      for (const piece of pieces) {
        if (socket.writable) socket.write(piece)
        await new Promise(setImmediate)
      }
      if (isComplete !== undefined) return
      while (!isFinished && quietTurns++ < QUIET_TURNS) {
        await new Promise((next) => setTimeout(next, 1))
        await new Promise(setImmediate)
      }
      if (!isFinished) socket.end()
    }
  })
}

export interface ReadResponses {
  /** The complete responses, without 100. */
  readonly responses: readonly ApiResponse[]
  /** The bytes after them: an incomplete or endless response. */
  readonly rest: Buffer
}

/** Parses responses. Throws if the bytes are not HTTP. With `mayBeHead`, a body may be missing. */
export function readResponses(bytes: Buffer, mayBeHead: boolean): ReadResponses {
  const responses: ApiResponse[] = []
  let rest = bytes
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd < 0) return { responses, rest }
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, headEnd).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) [A-Za-z' -]+$/.exec(statusLine)?.[1])
    if (Number.isNaN(status)) throw new Error(`Not a response: ${JSON.stringify(statusLine)}`)
    const headers = new Headers(lines.map((line) => splitHeader(line)))
    const body = rest.subarray(headEnd + 4)
    const length = bodyLength(status, headers)
    const isHead = mayBeHead && length > 0 && (body.length === 0 || body.toString('latin1', 0, 9) === 'HTTP/1.1 ')
    if (length > body.length && !isHead) return { responses, rest }
    const text = isHead ? '' : body.toString('utf8', 0, length)
    if (status >= 200) responses.push({ status, headers, text, body: readBody(headers, text) })
    rest = body.subarray(isHead ? 0 : length)
  }
}

function bodyLength(status: number, headers: Headers): number {
  if (status < 200 || status === 204 || status === 304) return 0
  const length = headers.get('content-length')
  // An endless response has no length.
  return length === null ? Number.POSITIVE_INFINITY : Number(length)
}

/** The value of a JSON body, or undefined, because a fault may have made it invalid. */
function readBody(headers: Headers, text: string): unknown {
  if (headers.get('content-type') !== 'application/json' || text === '') return undefined
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
}

/** Whether an endless response has started. */
export function isEndless(bytes: Buffer): boolean {
  return /\r\ncontent-type: text\/event-stream/i.test(bytes.toString('latin1'))
}
