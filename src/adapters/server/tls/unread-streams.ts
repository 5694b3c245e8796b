import type { ServerHttp2Stream } from 'node:http2'

/** How long a stream stays without a timer. Nearly all are read by then, and a timer for each makes HTTP/2 slower. */
const GRACE_MS = 100

/** Limits how long clients may take to read responses. */
export class UnreadStreams {
  readonly #startTimers = new Map<ServerHttp2Stream, () => void>()
  #waiting: NodeJS.Timeout | undefined

  /** Calls `expire` if nothing of the stream is read for this long. Returns a function that lifts the limit. */
  limit(stream: ServerHttp2Stream, idleTimeoutMs: number, expire: () => void): () => void {
    this.#startTimers.set(stream, () => stream.setTimeout(idleTimeoutMs, expire))
    this.#waiting ??= setTimeout(() => this.#limitRest(), GRACE_MS).unref()
    return () => {
      this.forget(stream)
      stream.setTimeout(0, expire)
    }
  }

  /** Must be called when a stream has closed. */
  forget(stream: ServerHttp2Stream): void {
    this.#startTimers.delete(stream)
  }

  #limitRest(): void {
    this.#waiting = undefined
    for (const startTimer of this.#startTimers.values()) startTimer()
    this.#startTimers.clear()
  }
}
