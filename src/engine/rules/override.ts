import type { BodyOf, PathOf, QueryOf, ResponseOf } from '../../document/schema/types.js'
import type { GivenHeaders } from '../../http/headers.js'
import type { RequestHeaders } from '../../http/messages.js'
import type { RequestMatch } from './request-match.js'

/** A valid request, as an override function sees it. */
export interface OverrideCall<Ops, O extends keyof Ops> {
  readonly params: PathOf<Ops[O]>
  readonly query: QueryOf<Ops[O]>
  readonly body: BodyOf<Ops[O]>
  /** Names are in lower case. */
  readonly headers: RequestHeaders
  /** The response without this override: of the next older override of the operation, or of the mock. */
  next(): Promise<ResponseOf<Ops[O]>>
}

/** A response, or a function that returns one. */
export type Override<Ops, O extends keyof Ops> =
  | ResponseOf<Ops[O]>
  | ((call: OverrideCall<Ops, O>) => ResponseOf<Ops[O]> | Promise<ResponseOf<Ops[O]>>)

/**
 * What each request gets in turn: the first entry for the first request, and so on. `pass` lets a request through to the next
 * older override or to the mock, and so does the end of the list.
 */
export type OverrideSequence<Ops, O extends keyof Ops> = readonly (Override<Ops, O> | 'pass')[]

export interface OverrideOptions {
  /** How many requests it applies to; not for a sequence. Default: all until the next reset. */
  times?: number
  /** Which requests it applies to, by query, headers or body. Default: all. */
  match?: RequestMatch
  /** Accepts a response that the OpenAPI document does not declare. Default: false. */
  unchecked?: boolean
  /**
   * Sends a body that is text or bytes as it is, with the `Content-Type` of `headers`, and checks nothing: for what a proxy in
   * front of the service returns, such as an HTML page with status 502. Default: false.
   */
  raw?: boolean
}

/** Any response, for an override that is not checked against the OpenAPI document. */
export interface UncheckedResponse {
  readonly status: number
  readonly headers?: GivenHeaders
  readonly body?: unknown
}

/** An override that was added, and how often it was used. */
export interface AddedOverride<OperationId extends string = string> extends Readonly<OverrideOptions> {
  /** Starts at 1. */
  readonly id: number
  readonly operation: OperationId
  /** Missing, like the headers and the body, when a function makes the response. */
  readonly status?: number
  readonly headers?: GivenHeaders
  readonly body?: unknown
  /** Instead of status, headers and body. */
  readonly sequence?: readonly (UncheckedResponse | 'pass' | 'function')[]
  /** How many requests it was applied to. */
  readonly applied: number
  /** Whether it can still apply. */
  readonly active: boolean
  /** By the mock's clock. */
  readonly addedAt: string
}

/** The overrides of an instance, oldest first. The newest one that matches a request decides. */
export interface OverrideList<OperationId extends string = string> {
  list(): AddedOverride<OperationId>[]
  remove(id: number): void
  clear(): void
}

export type OverrideEvent<OperationId extends string = string> =
  | {
      readonly type: 'override'
      readonly change: 'added' | 'applied' | 'removed'
      readonly override: AddedOverride<OperationId>
    }
  | { readonly type: 'override'; readonly change: 'cleared' }
