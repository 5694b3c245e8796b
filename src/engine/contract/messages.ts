/** The plain values that travel between an adapter and the core. Every adapter speaks these and nothing else. */

/** Header names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

export interface PlainRequest {
  readonly method: string
  /** As it was sent: escapes untouched, the base address's path taken off. */
  readonly path: string
  /** As it was sent, without the question mark; empty when there is none. */
  readonly query: string
  /** The path of the base address, put in front of every reference in the answer; empty at the root. */
  readonly base: string
  readonly headers: RequestHeaders
  /** An adapter that stops reading at the limit says so instead of handing over the part it has. */
  readonly body?: Uint8Array | 'too large'
}

/** Whoever asked, and may give up. */
export interface Waiting {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

export interface PlainResponse {
  /** 0 where nothing is sent: see `delivery`. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** A body that goes on: hands over its parts as they come, until it ends or what it returns is called. */
  readonly stream?: (write: (text: string) => void, end: () => void) => () => void
  /** How a fault wants the answer to arrive. An adapter does what it can. */
  readonly delivery?: Delivery
  /** The fault that the request met, for whoever records it. */
  readonly fault?: AppliedFault
  /** Which operation answered, for whoever logs it. */
  readonly operation?: string
  /** The code of a refusal, for whoever logs it. */
  readonly code?: string
  /** How the request broke the contract, where it was refused for that. */
  readonly violation?: string
  /** Why the mock itself failed, for whoever logs it; never part of the answer. */
  readonly failure?: unknown
  /** How a test misused the mock. An adapter that can throws this at the client; the answer says it to the others. */
  readonly misuse?: unknown
}

/**
 * `reset` breaks the connection and `timeout` never answers; `truncate` breaks it in the middle of the body, after its
 * whole length was announced; `slow` lets the body drip over so many milliseconds.
 */
export type Delivery =
  | { readonly kind: 'reset' | 'timeout' | 'truncate' }
  | { readonly kind: 'slow'; readonly overMs: number }

export interface AppliedFault {
  /** Of the rule; missing where the client asked for it itself. */
  readonly id?: number
  readonly kind: 'error' | 'delay' | 'reset' | 'timeout' | 'truncate' | 'malformed' | 'slow'
}

/** An answer on its way: the body is text already, the headers that every answer has are still to come. */
export interface Result {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** How many the body takes, where that is known already. */
  readonly bytes?: number
  readonly stream?: PlainResponse['stream']
  readonly mediaType?: string
  readonly code?: string
  readonly violation?: string
  readonly failure?: unknown
  readonly misuse?: unknown
}
