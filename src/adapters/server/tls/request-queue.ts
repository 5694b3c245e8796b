import type { ServerResponse } from 'node:http'
// Not the global one, which test runners fake.
import { setImmediate } from 'node:timers'

/** How many bytes of responses may wait to be read before further requests wait, too. */
const MAX_UNREAD_BYTES = 4_194_304

/** How many requests are handled before other connections get their turn. */
const MAX_IN_TURN = 8

/** The requests of one HTTP/2 connection. They wait while its client does not read the responses to earlier ones. */
export class RequestQueue {
  readonly #waiting: (() => void)[] = []
  #unreadBytes = 0
  #handledInTurn = 0
  /** Resolves when the response that `takeTurn` was called with last is closed. */
  #lastTurn: Promise<void> = Promise.resolve()

  run(handle: () => void): void {
    this.#waiting.push(handle)
    this.#runWaiting()
  }

  addUnread(change: number): void {
    this.#unreadBytes += change
    if (change < 0) this.#runWaiting()
  }

  /** Resolves when the responses that it was called with before are closed. */
  takeTurn(response: ServerResponse): Promise<void> {
    const turn = this.#lastTurn
    this.#lastTurn = turn.then(() => closed(response))
    return turn
  }

  #runWaiting(): void {
    while (this.#unreadBytes <= MAX_UNREAD_BYTES && this.#handledInTurn < MAX_IN_TURN) {
      const handle = this.#waiting.shift()
      if (handle === undefined) return
      this.#handledInTurn += 1
      if (this.#handledInTurn === MAX_IN_TURN) setImmediate(() => this.#beginTurn())
      handle()
    }
  }

  #beginTurn(): void {
    this.#handledInTurn = 0
    this.#runWaiting()
  }
}

function closed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) resolve()
    else response.once('close', () => resolve())
  })
}
