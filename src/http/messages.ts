/** What adapters pass to the engine and get back, and a response on its way there. */

/** Header names in lower case. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>

export interface PlainRequest {
  readonly method: string
  /** As it was sent: escapes untouched, without the path of the base address. */
  readonly path: string
  /** As it was sent, without the question mark; empty when there is none. */
  readonly query: string
  /** The path of the base address, which references in the response start with; empty at the root. */
  readonly base: string
  readonly headers: RequestHeaders
  /** How an encrypted request arrived. Missing for plain HTTP, and where there is no network. */
  readonly protocol?: EncryptedProtocol
  /** An adapter that stops reading at the limit passes `too large` instead of the part it has read. */
  readonly body?: Uint8Array | 'too large'
}

/** HTTP/1.1 or HTTP/2, over TLS. */
export type EncryptedProtocol = 'HTTPS/1.1' | 'HTTP/2'

export interface HandleOptions {
  /** Aborted when the client no longer waits for the response. */
  readonly signal: AbortSignal
  /** The same, also when the client can still read but has ended its side of the connection. Default: `signal`. */
  readonly ended?: AbortSignal
  /** How long after a request it may take until the signal says that its client is gone, in milliseconds. Default: 0. */
  readonly noticeMs?: number
  /** Aborted when the adapter closes: a request that only waits for others ends early. */
  readonly closing?: AbortSignal | undefined
  /** Whether to respond at once where a delay would apply. */
  readonly skipDelays?: boolean
  /** Whether an admin request may be of any size, because it repeats a call in process. */
  readonly skipLimits?: boolean
  /** Called before a large response is made. Resolves when the client has read those before it. */
  takeTurn?(): Promise<void> | undefined
}

export interface PlainResponse {
  /** 0 when nothing is sent: see `delivery`. */
  readonly status: number
  /** Several cookies in one `Set-Cookie` are separated by line feeds. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Instead of the body: the bytes of a raw override, of an exported state or journal, or of a web page. */
  readonly bytes?: Uint8Array
  /** Whether other responses have the same bytes, so that this one takes no memory for them. */
  readonly isShared?: true
  /** A body without a fixed end: passes on its parts as they come, until it ends or the returned function is called. */
  readonly stream?: (write: (text: string) => void, end: () => void) => () => void
  /** How a fault changes the way the response is sent. */
  readonly delivery?: Delivery
}

/**
 * `reset` breaks the connection, `timeout` never responds, `truncate` breaks off in the middle of a body whose whole length
 * was announced, `slow` sends the body bit by bit, over this many milliseconds.
 */
export type Delivery =
  | { readonly kind: 'reset' | 'timeout' | 'truncate' }
  | { readonly kind: 'slow'; readonly overMs: number }

export interface AppliedFault {
  /** The id of the fault rule; missing when the client requested the fault with `Prefer`. */
  readonly id?: number
  readonly kind: 'error' | 'delay' | 'reset' | 'timeout' | 'truncate' | 'malformed' | 'slow'
}

/** What became of a request that was passed through to the upstream. */
export interface PassedRequest {
  /** The upstream `answered`; or it `failed` to, and the response says so; or the mock answered for it, as a `fallback`. */
  readonly outcome: 'answered' | 'failed' | 'fallback'
  /** Why the upstream did not answer. */
  readonly reason?: string
  /** How its response violates the OpenAPI document. */
  readonly violations?: readonly string[]
}

/** A response, and what the mock knows about how it came about. */
export interface Outcome {
  readonly response: PlainResponse
  readonly trace: Trace
}

/** Diagnostics of one request, for journal, logs and tests. Never sent to the client. */
export interface Trace {
  /** The name of the sandbox that handled the request; missing for the root. */
  readonly sandbox?: string
  /** Whether the request has created the sandbox. */
  readonly isNewSandbox?: boolean
  /** The name of the sandbox that was removed for it, because there were too many. */
  readonly evictedSandbox?: string
  /** The operationId, when the request was for an operation. */
  readonly operation?: string
  /** Whether it is an operation without state. */
  readonly stateless?: true
  /** What the operation was understood as. */
  readonly meaning?: string
  /** The code of an error response. */
  readonly code?: string
  /** How the request violated the contract, when it was rejected for that. The first is the message of the response. */
  readonly violations?: readonly string[]
  /** Missing if the mock alone has answered. A request that was passed through may have `violations`, too. */
  readonly upstream?: PassedRequest
  /** The id of the override that made the response. */
  readonly override?: number
  /** The fault that was applied. */
  readonly fault?: AppliedFault
  /** The exception behind a 500 that is a bug of the mock. */
  readonly failure?: unknown
  /** How the test misused the mock. An in-process adapter throws this at the client. */
  readonly misuse?: unknown
}

/** A response before the headers that every response has are added. */
export interface ResponseDraft {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly bytes?: Uint8Array
  readonly stream?: PlainResponse['stream']
  readonly mediaType?: string
  /** The response may violate the contract: an override says so, or the document does not know the mock's errors. */
  readonly isUnchecked?: true
  /** The headers are complete: it is the response of the upstream. */
  readonly isComplete?: true
  readonly trace?: Pick<Trace, 'code' | 'violations' | 'upstream' | 'override' | 'failure' | 'misuse'>
}

/** A request that conforms to the contract. */
export interface ValidRequest {
  readonly path: unknown
  readonly query: unknown
  /** Declared header parameters, with names in lower case, and declared cookies. Missing if there are none. */
  readonly header?: unknown
  readonly cookie?: unknown
  /** All of them, declared or not. */
  readonly headers: RequestHeaders
  /** Missing for plain HTTP. */
  readonly protocol?: EncryptedProtocol | undefined
  readonly body: unknown
  /** When it arrived, by the mock's clock. */
  readonly at: number
  /** The path of the base address, for references in the response. */
  readonly base: string
  /** Who sends it, if the service has a function that says so. */
  readonly user?: object | undefined
  readonly handleOptions?: HandleOptions | undefined
}

/** A request to another server. */
export interface OutgoingRequest<Body = string | Uint8Array<ArrayBuffer>> {
  readonly method: string
  /** Path and query, below the base address or with its path. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Body | undefined
}

/** What a handler returns. It throws an ApiError to reject the request. Only what a handler of a service's own has changed is undone then. */
export interface HandlerResponse<Body = unknown> {
  /** One that the document declares for the operation. */
  readonly status: number
  /** Bytes are sent as they are. */
  readonly body?: Body
  /**
   * Instead of a body that may be too large to be made at once. `write` turns a part of it into JSON. Resolves with undefined
   * if the client no longer waits for it.
   */
  readonly encode?: (write: (part: object) => string) => Promise<Uint8Array | undefined>
  /** That of the body, if it is not the one that the document names first. Not with precompiled validators. */
  readonly mediaType?: string
  /** Instead of the body. */
  readonly stream?: PlainResponse['stream']
  readonly headers?: Readonly<Record<string, string>>
}
