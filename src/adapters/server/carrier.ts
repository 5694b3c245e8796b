import type { ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { toBytes } from '../../lib/text.js'

/** What carries a response: a connection in HTTP/1.1, one of its streams in HTTP/2. */
export interface Carrier {
  /** Ends the response with this body. */
  sendWhole(response: ServerResponse, body: string | Uint8Array | undefined): void
  /** Breaks off as a server does that crashes. */
  reset(response: ServerResponse): void
  /** Breaks off after what was written. */
  breakOff(response: ServerResponse): void
  /** Breaks off if the client does not read for this long. Returns a function that lifts the limit. */
  limitIdleTime(response: ServerResponse, idleTimeoutMs: number): () => void
  /** Calls `end` when the client stops waiting without closing. Returns a function that stops listening. */
  onClientEnd(response: ServerResponse, end: () => void): () => void
  /** Called when the number of bytes that wait to be read has changed. */
  onUnread?(response: ServerResponse, change: number): void
  /** Resolves when a large response may be made. Missing where a connection has one response at a time. */
  takeTurn?(response: ServerResponse): Promise<void>
}

export const connectionCarrier: Carrier = {
  /**
   * Node joins the head and a string into one string with one encoding. The head must be Latin-1, so only an ASCII body can
   * be sent as a string, which is faster; any other is sent as bytes.
   */
  sendWhole(response, body) {
    if (typeof body === 'string' && Buffer.byteLength(body) === body.length) {
      if ((response.socket as Partial<TLSSocket> | null)?.encrypted) {
        // In one write with the end of the response. Over TLS, a second one would cost as much as the first, even if empty.
        response.end(body, 'latin1')
        return
      }
      // One write to the socket. `end(body)` would make it two, the second one empty.
      response.write(body, 'latin1')
      response.socket?.uncork()
      response.end()
    } else {
      response.end(body === undefined ? undefined : toBytes(body))
    }
  },
  reset: ({ socket }) => socket?.resetAndDestroy(),
  // The socket, because Bun sends an empty response with status 200 when a response without a head is destroyed.
  breakOff: ({ socket }) => socket?.destroy(),
  limitIdleTime(response, idleTimeoutMs) {
    const { socket } = response
    if (socket === null) return () => {}
    const lift = () => {
      response.off('finish', lift)
      socket.setTimeout(0)
    }
    socket.setTimeout(idleTimeoutMs)
    // Before Node's own listener sets the keep-alive timeout, which it does only if no other request is waiting.
    response.prependOnceListener('finish', lift)
    return lift
  },
  onClientEnd({ socket }, end) {
    if (socket?.readableEnded) end()
    socket?.once('end', end)
    return () => socket?.off('end', end)
  },
}
