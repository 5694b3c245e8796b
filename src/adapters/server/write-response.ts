import type { ServerResponse } from 'node:http'
import type { HandleOptions, PlainResponse } from '../../engine/contract/messages.js'
import { sendSlowly } from '../../engine/fetch/fetch.js'
import { MAX_WAITING_BYTES } from '../../engine/limits.js'
import { nextTurn } from '../../lib/steps.js'
import { toBytes } from '../../lib/utf8.js'

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

/** Writes a response in the way its delivery says. Streams and simulated timeouts end when `closing` is aborted. */
export function writeResponse(
  response: ServerResponse,
  { status, body, bytes, parts, stream, delivery }: PlainResponse,
  /** As an object, or as a list of names and values in turn. */
  headers: PlainResponse['headers'] | string[],
  idleTimeoutMs: number,
  closing: AbortSignal,
): void {
  if (response.destroyed) return
  switch (delivery?.kind) {
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'timeout':
      // The socket, because Bun sends an empty response with status 200 when a response without a head is destroyed.
      endWithClient(response, closing, () => response.socket?.destroy())
      return
    case 'truncate':
      response.writeHead(status, headers)
      writeHalf(response, toBytes(body ?? bytes))
      break
    case 'slow':
      response.writeHead(status, headers)
      void writeSlowly(response, toBytes(body ?? bytes), delivery.overMs).then(() =>
        closeIfUnread(response, idleTimeoutMs),
      )
      break
    default:
      response.writeHead(status, headers)
      if (stream) {
        writeStream(response, stream, closing)
        // No idle timeout: a stream may be silent for long, and a client that does not read is disconnected there.
        return
      }
      if (parts) {
        void writeParts(response, parts)
        closeIfIdle(response, idleTimeoutMs)
        return
      }
      writeWhole(response, body ?? bytes)
  }
  closeIfUnread(response, idleTimeoutMs)
}

/**
 * Node joins the head and a string into one string with one encoding. The head must be Latin-1, so only an ASCII body can
 * be sent as a string, which is faster; any other is sent as bytes.
 */
function writeWhole(response: ServerResponse, body: string | Uint8Array | undefined): void {
  if (typeof body === 'string' && Buffer.byteLength(body) === body.length) {
    // One write to the socket. `end(body)` would make it two, the second one empty.
    response.write(body, 'latin1')
    response.socket?.uncork()
    response.end()
  } else {
    response.end(body === undefined ? undefined : toBytes(body))
  }
}

/** Writes as fast as the client reads, one part in each turn of the event loop. */
async function writeParts(response: ServerResponse, parts: readonly Uint8Array[]): Promise<void> {
  for (const part of parts) {
    if (response.destroyed) return
    if (!response.write(part)) await drained(response)
    await nextTurn()
  }
  response.end()
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

/** Closes the connection if the client does not read a response for this long. */
function closeIfUnread(response: ServerResponse, idleTimeoutMs: number): void {
  if (response.writableLength > 0) closeIfIdle(response, idleTimeoutMs)
}

function closeIfIdle(response: ServerResponse, idleTimeoutMs: number): void {
  const { socket } = response
  if (socket === null) return
  socket.setTimeout(idleTimeoutMs)
  // Before Node's own listener sets the keep-alive timeout, which it does only if no other request is waiting.
  response.prependOnceListener('finish', () => socket.setTimeout(0))
}

/** Closes the connection after half of the body. The half must be sent first. */
function writeHalf(response: ServerResponse, bytes: Uint8Array): void {
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy())
}

async function writeSlowly(response: ServerResponse, bytes: Uint8Array, overMs: number): Promise<void> {
  for await (const part of sendSlowly(bytes, overMs, new ClientConnection(response).signal)) response.write(part)
  response.end()
}

function writeStream(
  response: ServerResponse,
  stream: NonNullable<PlainResponse['stream']>,
  closing: AbortSignal,
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
  endWithClient(response, closing, end)
}

/**
 * Ends a response that would never end by itself: when the client ends its side of the connection, or the server closes.
 * Any other response is sent even to a client that has ended its side.
 */
function endWithClient(response: ServerResponse, closing: AbortSignal, end: () => void): void {
  const { socket } = response
  if (socket?.readableEnded) end()
  socket?.once('end', end)
  closing.addEventListener('abort', end)
  response.once('close', () => {
    socket?.off('end', end)
    closing.removeEventListener('abort', end)
  })
}
