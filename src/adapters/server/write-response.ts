import type { ServerResponse } from 'node:http'
import { sendSlowly } from '../../engine/fetch/response-body.js'
import { MAX_WAITING_BYTES } from '../../http/limits.js'
import type { HandleOptions, PlainRequest, PlainResponse } from '../../http/messages.js'
import { toBytes } from '../../lib/text.js'
import type { Carrier } from './carrier.js'
import type { UnreadResponses } from './unread-responses.js'

/** The signal is aborted when the client disconnects. It is created when it is read, which few requests do. */
export class ClientConnection implements HandleOptions {
  readonly #response: ServerResponse
  readonly #carrier: Carrier | undefined
  readonly #isPage: boolean
  readonly closing: AbortSignal | undefined

  constructor(
    response: ServerResponse,
    { carrier, closing }: Partial<WriteOptions> = {},
    { headers }: Pick<PlainRequest, 'headers'> = { headers: {} },
  ) {
    this.#response = response
    this.#carrier = carrier
    // Only browsers send it.
    this.#isPage = headers['sec-fetch-site'] !== undefined
    this.closing = closing
  }

  /** Pages abort requests that they have just sent, and the connection shows it a moment later. */
  get noticeMs(): number {
    return this.#isPage ? NOTICE_MS : 0
  }

  takeTurn(): Promise<void> | undefined {
    return this.#carrier?.takeTurn?.(this.#response)
  }

  get signal(): AbortSignal {
    return this.#createSignal(this.#isPage)
  }

  get ended(): AbortSignal {
    return this.#createSignal(true)
  }

  #createSignal(endsWithClient: boolean): AbortSignal {
    const disconnected = new AbortController()
    const response = this.#response
    const abort = () => disconnected.abort()
    if (response.destroyed) abort()
    // Other clients may end their side and still read.
    const stopListening = endsWithClient ? this.#carrier?.onClientEnd(response, abort) : undefined
    response.once('close', () => {
      stopListening?.()
      abort()
    })
    return disconnected.signal
  }
}

/** On an idle machine, it takes a millisecond. */
const NOTICE_MS = 20

export interface WriteOptions {
  readonly carrier: Carrier
  readonly idleTimeoutMs: number
  readonly unread: UnreadResponses
  /** Streams and simulated timeouts end when it is aborted. */
  readonly closing: AbortSignal
}

/** Writes a response in the way its delivery says. */
export function writeResponse(
  response: ServerResponse,
  { status, body, bytes, isShared, stream, delivery }: PlainResponse,
  /** As an object, or as a list of names and values in turn. */
  headers: PlainResponse['headers'] | string[],
  options: WriteOptions,
): void {
  const { carrier } = options
  const sent = body ?? bytes
  if (response.destroyed) return
  switch (delivery?.kind) {
    case 'reset':
      carrier.reset(response)
      return
    case 'timeout':
      endWithClient(response, options, () => carrier.breakOff(response))
      return
    case 'truncate':
      response.writeHead(status, headers)
      writeHalf(response, toBytes(sent), carrier)
      break
    case 'slow':
      response.writeHead(status, headers)
      void writeSlowly(response, toBytes(sent), delivery.overMs, options)
      return
    default:
      // Its client is gone, or will be.
      if (status === 0) {
        response.destroy()
        return
      }
      response.writeHead(status, headers)
      if (stream) {
        writeStream(response, stream, options)
        // No idle timeout: a stream may be silent for long, and a client that does not read is disconnected there.
        return
      }
      if (sent !== undefined && sent.length > MAX_WRITE_BYTES) {
        void writeInParts(response, toBytes(sent), isShared === true, options)
        return
      }
      carrier.sendWhole(response, sent)
  }
  limitUnread(response, options)
}

/** Over TLS, what is written is encrypted at once, and takes memory for that, too. */
const MAX_WRITE_BYTES = 16_384

/** Writes as fast as the client reads. */
async function writeInParts(
  response: ServerResponse,
  bytes: Uint8Array,
  isShared: boolean,
  { carrier, idleTimeoutMs, unread }: WriteOptions,
): Promise<void> {
  carrier.limitIdleTime(response, idleTimeoutMs)
  unread.hold(response, isShared ? MAX_WRITE_BYTES : bytes.length, carrier)
  for (let start = 0; start < bytes.length; start += MAX_WRITE_BYTES) {
    if (response.destroyed) return
    if (response.write(bytes.subarray(start, start + MAX_WRITE_BYTES))) continue
    await drained(response)
    unread.markProgress(response)
  }
  response.end()
}

/** Resolves when the client has read what was written, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

/** Breaks off if the client does not read what was written, or if too much waits to be read. */
function limitUnread(response: ServerResponse, { carrier, idleTimeoutMs, unread }: WriteOptions): void {
  const { writableLength } = response
  if (writableLength === 0) return
  carrier.limitIdleTime(response, idleTimeoutMs)
  unread.hold(response, writableLength, carrier)
}

/** Breaks off after half of the body. The half must be sent first. */
function writeHalf(response: ServerResponse, bytes: Uint8Array, carrier: Carrier): void {
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => carrier.breakOff(response))
}

/** Waits when the client does not read, but not forever. */
async function writeSlowly(
  response: ServerResponse,
  bytes: Uint8Array,
  overMs: number,
  options: WriteOptions,
): Promise<void> {
  const { carrier, idleTimeoutMs, unread } = options
  for await (const part of sendSlowly(bytes, overMs, new ClientConnection(response).signal)) {
    if (response.write(part)) continue
    const liftLimit = carrier.limitIdleTime(response, idleTimeoutMs)
    unread.hold(response, bytes.length, carrier)
    await drained(response)
    unread.release(response)
    liftLimit()
  }
  response.end()
  limitUnread(response, options)
}

function writeStream(
  response: ServerResponse,
  stream: NonNullable<PlainResponse['stream']>,
  options: WriteOptions,
): void {
  const end = () => {
    // First, because writing to a response that has ended throws an uncaught error.
    stop()
    response.end()
  }
  const { carrier, unread } = options
  const stop = stream((text) => {
    if (response.writableLength > MAX_WAITING_BYTES) response.destroy()
    else if (!response.write(text)) unread.hold(response, response.writableLength, carrier)
  }, end)
  response.once('close', stop)
  response.on('drain', () => unread.release(response))
  endWithClient(response, options, end)
}

/**
 * Ends a response that would never end by itself: when the client ends its side of the connection, or the server closes.
 * Any other response is sent even to a client that has ended its side.
 */
function endWithClient(response: ServerResponse, { carrier, closing }: WriteOptions, end: () => void): void {
  const stopListening = carrier.onClientEnd(response, end)
  closing.addEventListener('abort', end)
  response.once('close', () => {
    stopListening()
    closing.removeEventListener('abort', end)
  })
}
