import type { ServerResponse } from 'node:http'
import type { HandleOptions, PlainResponse } from '../../engine/contract/messages.js'
import { sendSlowly } from '../../engine/fetch/fetch.js'
import { MAX_WAITING_BYTES } from '../../engine/limits.js'
import { sendInOnePiece } from './in-one-piece.js'

/** Tells when the client has gone. The signal is made for those who ask, and hardly anybody does. */
export class Client implements HandleOptions {
  readonly #response: ServerResponse

  constructor(response: ServerResponse) {
    this.#response = response
  }

  get signal(): AbortSignal {
    const gone = new AbortController()
    if (this.#response.destroyed) gone.abort()
    this.#response.once('close', () => gone.abort())
    return gone.signal
  }
}

/** What delivering an answer needs to know of its server. */
export interface Delivering {
  /** What would go on for ever is put among what ends with the server. */
  readonly ends: Set<() => void>
  /** How long a client may not read what it was sent. */
  readonly idleTimeoutMs: number
}

/** Writes an answer the way it is to arrive. */
export function deliver(response: ServerResponse, reply: PlainResponse, { ends, idleTimeoutMs }: Delivering): void {
  const { status, headers, body, stream, delivery } = reply
  if (response.destroyed) return
  switch (delivery?.kind) {
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'timeout':
      endWithServer(response, ends, () => response.destroy())
      return
    case 'truncate':
      response.writeHead(status, headers)
      truncate(response, body ?? '')
      break
    case 'slow':
      response.writeHead(status, headers)
      void drip(response, body ?? '', delivery.overMs).then(() => giveUpUnread(response, idleTimeoutMs))
      break
    default:
      if (stream === undefined && sendInOnePiece(response, reply, idleTimeoutMs)) break
      response.writeHead(status, headers)
      if (stream) {
        follow(response, stream, ends)
        // Nothing may happen for a long time, and what nobody reads is bounded there.
        return
      }
      // As bytes: with a text behind it, Node would write the head in UTF-8 and not in Latin-1.
      response.end(body === undefined ? undefined : Buffer.from(body))
  }
  giveUpUnread(response, idleTimeoutMs)
}

/** Where an answer waits for its client to read it. */
function giveUpUnread(response: ServerResponse, idleTimeoutMs: number): void {
  const { socket } = response
  if (response.writableLength === 0 || socket === null) return
  socket.setTimeout(idleTimeoutMs)
  // Before Node sets a time of its own, which it does not where another request waits behind this one.
  response.prependOnceListener('finish', () => socket.setTimeout(0))
}

/** Half of what was announced, and then nothing: the half must have gone out before the connection breaks. */
function truncate(response: ServerResponse, body: string): void {
  const bytes = Buffer.from(body)
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy())
}

async function drip(response: ServerResponse, body: string, overMs: number): Promise<void> {
  for await (const part of sendSlowly(body, overMs, new Client(response).signal)) response.write(part)
  response.end()
}

function follow(response: ServerResponse, stream: NonNullable<PlainResponse['stream']>, ends: Set<() => void>): void {
  const end = () => {
    // What is written to a response that has ended ends the process.
    stop()
    response.end()
  }
  const stop = stream((text) => {
    if (response.writableLength > MAX_WAITING_BYTES) response.destroy()
    else response.write(text)
  }, end)
  response.once('close', stop)
  endWithServer(response, ends, end)
}

function endWithServer(response: ServerResponse, ends: Set<() => void>, end: () => void): void {
  ends.add(end)
  response.once('close', () => ends.delete(end))
}
