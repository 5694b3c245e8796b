import type { ServerResponse } from 'node:http'
import type { HandleOptions, PlainResponse } from '../../engine/contract/messages.js'
import { sendSlowly } from '../../engine/fetch/response-body.js'
import { MAX_WAITING_BYTES } from '../../engine/limits.js'
import { toBytes } from '../../lib/utf8.js'
import type { Carrier } from './carrier.js'

/** The signal is aborted when the client disconnects. It is created when it is read, which few requests do. */
export class ClientConnection implements HandleOptions {
  readonly #response: ServerResponse

  constructor(
    response: ServerResponse,
    readonly closing?: AbortSignal,
  ) {
    this.#response = response
  }

  get signal(): AbortSignal {
    const disconnected = new AbortController()
    if (this.#response.destroyed) disconnected.abort()
    this.#response.once('close', () => disconnected.abort())
    return disconnected.signal
  }
}

export interface WriteOptions {
  readonly carrier: Carrier
  readonly idleTimeoutMs: number
  /** Streams and simulated timeouts end when it is aborted. */
  readonly closing: AbortSignal
}

/** Writes a response in the way its delivery says. */
export function writeResponse(
  response: ServerResponse,
  { status, body, bytes, stream, delivery }: PlainResponse,
  /** As an object, or as a list of names and values in turn. */
  headers: PlainResponse['headers'] | string[],
  options: WriteOptions,
): void {
  const { carrier } = options
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
      writeHalf(response, toBytes(body ?? bytes), carrier)
      break
    case 'slow':
      response.writeHead(status, headers)
      void writeSlowly(response, toBytes(body ?? bytes), delivery.overMs, options)
      return
    default:
      response.writeHead(status, headers)
      if (stream) {
        writeStream(response, stream, options)
        // No idle timeout: a stream may be silent for long, and a client that does not read is disconnected there.
        return
      }
      carrier.sendWhole(response, body ?? bytes)
  }
  closeIfUnread(response, options)
}

/** Resolves when the client has read what was written, or is gone. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

/** Breaks off if the client does not read the rest of the response. */
function closeIfUnread(response: ServerResponse, { carrier, idleTimeoutMs }: WriteOptions): void {
  if (response.writableLength > 0) carrier.limitIdleTime(response, idleTimeoutMs)
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
  for await (const part of sendSlowly(bytes, overMs, new ClientConnection(response).signal)) {
    if (response.write(part)) continue
    const liftLimit = options.carrier.limitIdleTime(response, options.idleTimeoutMs)
    await drained(response)
    liftLimit()
  }
  response.end()
  closeIfUnread(response, options)
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
  const stop = stream((text) => {
    if (response.writableLength > MAX_WAITING_BYTES) response.destroy()
    else response.write(text)
  }, end)
  response.once('close', stop)
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
