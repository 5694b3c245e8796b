import type { ServerResponse } from 'node:http'
import type { Carrier } from './carrier.js'

/** How many bytes of responses may wait to be read, on all connections together. */
const MAX_UNREAD_BYTES = 134_217_728

interface Unread {
  readonly carrier: Carrier
  bytes: number
  readonly release: () => void
}

/**
 * The responses that their clients have not read yet. They take memory until then. If they take too much, the one of which
 * nothing was read for the longest is broken off.
 */
export class UnreadResponses {
  /** The one of which nothing was read for the longest is first. */
  readonly #responses = new Map<ServerResponse, Unread>()
  #bytes = 0

  /** Call it again when the number of bytes has changed. */
  hold(response: ServerResponse, bytes: number, carrier: Carrier): void {
    // It would never be released: it is already closed, or about to be.
    if (response.destroyed) return
    const unread = this.#responses.get(response) ?? this.#add(response, carrier)
    this.#resize(response, unread, bytes)
    for (const [oldest, { carrier }] of this.#responses) {
      // A single response may be of any size.
      if (this.#bytes <= MAX_UNREAD_BYTES || this.#responses.size === 1) return
      this.release(oldest)
      carrier.breakOff(oldest)
    }
  }

  #add(response: ServerResponse, carrier: Carrier): Unread {
    const unread = { carrier, bytes: 0, release: () => this.release(response) }
    response.once('close', unread.release)
    this.#responses.set(response, unread)
    return unread
  }

  /** Call it when the client has read a part of the response. */
  markProgress(response: ServerResponse): void {
    const unread = this.#responses.get(response)
    if (unread === undefined) return
    this.#responses.delete(response)
    this.#responses.set(response, unread)
  }

  /** Call it when the client has read everything that was written. A response that is closed is released, too. */
  release(response: ServerResponse): void {
    const unread = this.#responses.get(response)
    if (unread === undefined) return
    response.off('close', unread.release)
    this.#responses.delete(response)
    this.#resize(response, unread, 0)
  }

  #resize(response: ServerResponse, unread: Unread, bytes: number): void {
    const change = bytes - unread.bytes
    unread.bytes = bytes
    this.#bytes += change
    unread.carrier.onUnread?.(response, change)
  }
}
