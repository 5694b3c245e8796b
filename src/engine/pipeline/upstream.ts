import type { Contract } from '../../document/contract/contract.js'
import type { Operation } from '../../document/contract/operation.js'
import type { HandleOptions, OutgoingRequest, PlainRequest, ResponseDraft } from '../../http/messages.js'
import type { Query } from '../../http/target.js'
import type { MaybePromise } from '../../lib/functions.js'
import type { UnreportedErrors } from '../control/unreported-errors.js'
import type { EventHub } from '../log/events.js'
import type { EngineOptions } from '../options.js'
import type { Overrides } from '../rules/overrides.js'
import type { Api } from './api.js'

/** Which operations are passed through to the real service. */
export interface Upstream<OperationId extends string = string> {
  /** The base URL of the real service. */
  readonly url: string
  /** The operations that are passed through, in the order of the OpenAPI document. */
  readonly passed: readonly OperationId[]
  /** Whether requests that match no operation are passed through, too. */
  readonly passesUnknown: boolean
  /** Passes operations through: operationIds, patterns such as `get*`, or methods such as `GET`, until the next reset. */
  pass(...operations: string[]): void
  /** Answers operations from the mock again, named in the same way. */
  mock(...operations: string[]): void
  /** Both at once. An operation in both is answered by the mock. If one is unknown, nothing changes. */
  change(change: UpstreamChange): void
}

export interface UpstreamChange {
  readonly pass?: readonly string[]
  readonly mock?: readonly string[]
}

/** A request to the real service. Its target starts with the path of the base URL. */
export type UpstreamRequest = OutgoingRequest<Uint8Array>

/** Its response, without a content coding. */
export interface UpstreamResponse {
  readonly status: number
  /** As they came, repeated names included. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: Uint8Array | undefined
  /** Instead of the body, if it is a stream of events. */
  readonly stream?: ResponseDraft['stream']
}

/** Sends a request to the real service, and nowhere else. Throws an UpstreamFailure. */
export type Forward = (request: UpstreamRequest, signal: AbortSignal | undefined) => Promise<UpstreamResponse>

/** The real service did not answer. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'

  /** `message` says why, without its subject. */
  constructor(
    readonly kind: 'unreachable' | 'timeout' | 'aborted',
    message: string,
  ) {
    super(message)
  }
}

/** How a mock stands in front of the real service. */
export interface UpstreamSettings {
  readonly url: URL
  /** The token of the mock's admin API, which is not sent on. */
  readonly adminToken?: string | undefined
  /** Operations as `Upstream.pass` names them, and those of them that the mock answers nevertheless. */
  readonly pass: readonly string[]
  readonly mock: readonly string[]
  readonly passUnknown: boolean
  readonly strict: boolean
  readonly fallback: boolean
  readonly forward: Forward
}

/** What an instance gives to the part that passes its requests through. */
export interface UpstreamDependencies {
  readonly contract: Contract
  readonly options: Pick<EngineOptions, 'strict' | 'maxBodyBytes'>
  readonly overrides: Overrides
  readonly events: EventHub
  readonly unreportedErrors: Pick<UnreportedErrors, 'addLate'>
}

/** A request that may be passed through. */
export interface PassCall {
  readonly api: Api
  readonly request: PlainRequest
  /** When it arrived, by the mock's clock. */
  readonly at: number
  /** Missing for a path that the OpenAPI document does not know, and so are the rest. */
  readonly operation?: Operation | undefined
  readonly segments: readonly string[]
  readonly query: Query
  readonly handleOptions: HandleOptions | undefined
  /** The response of the mock, without overrides. */
  answer?(): MaybePromise<ResponseDraft>
}

/** The part of an instance that passes requests through. */
export interface InstanceUpstream {
  readonly control: Upstream
  passes(operation: string): boolean
  handle(call: PassCall): MaybePromise<ResponseDraft>
  reset(): void
}
