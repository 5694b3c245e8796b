import { connect } from 'node:net'
import { parseJson } from '../../src/lib/json.js'
import type { ApiResponse } from '../support/client.js'

/** How long a server may take for an answer, or to hang up. */
const PATIENCE_MS = 10_000

/**
 * Who has said nothing for so many turns has nothing to say before it hears more. Turns of this process and not
 * milliseconds: on a busy machine those pass before the server, which is in the same process, has been let to read.
 */
const TURNS_OF_SILENCE = 4

/** All bytes that came back, and whether the other side hung up by itself. */
export interface Heard {
  readonly bytes: Buffer
  readonly isOver: boolean
}

/**
 * Sends bytes in a few writes on a connection of their own, and listens until enough was heard or the other side hangs
 * up. Where `enough` is not given, this side says that nothing more will come once the other has fallen silent.
 */
export function converse(
  port: number,
  pieces: readonly Uint8Array[],
  enough?: (heard: Buffer) => boolean,
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
    let bytes = Buffer.alloc(0)
    let quietTurns = 0
    let isFinished = false
    const patience = setTimeout(() => fail(new Error('the connection was neither answered nor closed')), PATIENCE_MS)

    function stop(): void {
      clearTimeout(patience)
      isFinished = true
      socket.destroy()
    }
    function fail(error: Error): void {
      stop()
      reject(error)
    }
    function finish(isOver: boolean): void {
      stop()
      resolve({ bytes, isOver })
    }
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      quietTurns = 0
      if (enough?.(bytes)) finish(false)
    })
    socket.on('end', () => finish(true))
    socket.on('close', () => finish(true))
    // A reset, or a write to somebody who has hung up, shows as the end of the connection.
    socket.on('error', (error: NodeJS.ErrnoException) => (error.syscall === 'connect' ? fail(error) : finish(true)))
    socket.on('connect', () => void write())

    async function write(): Promise<void> {
      for (const piece of pieces) {
        if (socket.writable) socket.write(piece)
        await new Promise(setImmediate)
      }
      if (enough !== undefined) return
      while (!isFinished && quietTurns++ < TURNS_OF_SILENCE) {
        await new Promise((next) => setTimeout(next, 1))
        await new Promise(setImmediate)
      }
      if (!isFinished) socket.end()
    }
  })
}

export interface ReadAnswers {
  /** Those that are whole; a 100 is none. */
  readonly answers: readonly ApiResponse[]
  /** What is left behind them: part of an answer, or of one that goes on. */
  readonly rest: Buffer
}

/** The answers in what was heard. What is no HTTP throws. With `mayBeHead`, a body that is not there may be meant so. */
export function readAnswers(heard: Buffer, mayBeHead: boolean): ReadAnswers {
  const responses: ApiResponse[] = []
  let rest = heard
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd < 0) return { answers: responses, rest }
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, headEnd).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) [A-Za-z' -]+$/.exec(statusLine)?.[1])
    if (Number.isNaN(status)) throw new Error(`not an answer: ${JSON.stringify(statusLine)}`)
    const headers = new Headers(lines.map((line) => splitHeader(line)))
    const body = rest.subarray(headEnd + 4)
    const length = bodyLength(status, headers)
    const isHead = mayBeHead && length > 0 && (body.length === 0 || body.toString('latin1', 0, 9) === 'HTTP/1.1 ')
    if (length > body.length && !isHead) return { answers: responses, rest }
    const text = isHead ? '' : body.toString('utf8', 0, length)
    if (status >= 200) responses.push({ status, headers, text, body: readBody(headers, text) })
    rest = body.subarray(isHead ? 0 : length)
  }
}

function bodyLength(status: number, headers: Headers): number {
  if (status < 200 || status === 204 || status === 304) return 0
  const length = headers.get('content-length')
  // What goes on has no length, and never ends by itself.
  return length === null ? Number.POSITIVE_INFINITY : Number(length)
}

/** The value of a JSON body; a fault may have spoiled it, and those who care look at the text. */
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

/** Whether an answer has begun that goes on for as long as somebody listens. */
export function isEndless(heard: Buffer): boolean {
  return /\r\ncontent-type: text\/event-stream/i.test(heard.toString('latin1'))
}
