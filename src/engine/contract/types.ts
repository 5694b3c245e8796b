import type { Id } from '../../lib/int64.js'
import type { components, operations as StoreOperations } from '../../petstore/generated/openapi-types.js'
import type { operations as AdminOperations } from '../admin/generated/admin-types.js'

/** The operations of the service, by operationId. */
export type StoreOperationId = keyof StoreOperations
/** Those of the control plane. */
export type AdminOperationId = keyof AdminOperations
export type OperationId = StoreOperationId | AdminOperationId

type Described<O extends OperationId> = (StoreOperations & AdminOperations)[O]

export type PathOf<O extends OperationId> = Present<Described<O>['parameters']['path']>
export type QueryOf<O extends OperationId> = Present<Described<O>['parameters']['query']>
export type BodyOf<O extends OperationId> =
  Described<O> extends { requestBody: { content: infer Content } }
    ? Content[keyof Content]
    : Described<O> extends { requestBody?: { content: infer Content } }
      ? Content[keyof Content] | undefined
      : undefined

/** What an operation hands over to be written as its successful answer, which is all that the document asks of it. */
export type AnswerOf<O extends OperationId> =
  SuccessContent<Described<O>['responses']> extends infer Content
    ? [Content] extends [never]
      ? undefined
      : Writable<Content>
    : never

type Present<T> = [NonNullable<T>] extends [never] ? Record<never, never> : NonNullable<T>

type SuccessContent<Responses> = {
  [Status in keyof Responses]: Status extends 200 | 201
    ? Responses[Status] extends { content: infer Content }
      ? Content[keyof Content]
      : never
    : never
}[keyof Responses]

/** A document's shape as the store holds it: ids as `Id`, and null for an optional field that is not there. */
type Writable<T> = unknown extends T
  ? unknown
  : [bigint] extends [T]
    ? Id
    : T extends readonly (infer Item)[]
      ? readonly Writable<Item>[]
      : T extends object
        ? { readonly [K in keyof T]: undefined extends T[K] ? Writable<NonNullable<T[K]>> | null : Writable<T[K]> }
        : T

/** What a client is answered, by status: the success the document declares, or a failure in the error shape. */
export type ResponseOf<O extends StoreOperationId> = Success<StoreOperations[O]['responses']> | Failure

type Success<Responses> = {
  [Status in keyof Responses & (200 | 201 | 204)]: Responses[Status] extends {
    content: { 'application/json': infer Body }
  }
    ? { readonly status: Status; readonly body: Body; readonly headers?: ResponseHeaders }
    : { readonly status: Status; readonly body?: undefined; readonly headers?: ResponseHeaders }
}[keyof Responses & (200 | 201 | 204)]

interface Failure {
  readonly status: FailureStatus
  /** Made from the status where it is left out. */
  readonly body?: components['schemas']['Error']
  readonly headers?: ResponseHeaders
}

type ResponseHeaders = Readonly<Record<string, string>>

// biome-ignore format: a line each would be half a page
type FailureStatus =
  | 400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418
  | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451
  | 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511
