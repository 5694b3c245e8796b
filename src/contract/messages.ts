/** The plain values that travel between a door and the core. Every door speaks these and nothing else. */

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
  /** A door that stops reading at the limit says so instead of handing over the part it has. */
  readonly body?: Uint8Array | 'too large'
}

export interface PlainResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Which operation answered, for whoever logs it. */
  readonly operation?: string
  /** The code of a refusal, for whoever logs it. */
  readonly code?: string
  /** How the request broke the contract, where it was refused for that. */
  readonly violation?: string
  /** Why the mock itself failed, for whoever logs it; never part of the answer. */
  readonly failure?: unknown
  /** How a test misused the mock. A door that can throws this at the client; the answer says it to the others. */
  readonly misuse?: unknown
}

/** An answer on its way: the body is text already, the headers that every answer has are still to come. */
export interface Result {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly mediaType?: string
  readonly code?: string
  readonly violation?: string
  readonly failure?: unknown
  readonly misuse?: unknown
}
