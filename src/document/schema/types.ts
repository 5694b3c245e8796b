/*
 * Types derived from an operation of an OpenAPI document. `D` is a member of the `operations` that openapi-typescript
 * generates.
 */

/** The operations of a document by operationId, where nothing more is known about them. */
export type AnyOperations = Readonly<Record<string, AnyOperation>>

/** An operation about which nothing more is known. */
export interface AnyOperation {
  readonly parameters: { readonly path?: Record<string, unknown>; readonly query?: Record<string, unknown> }
  readonly requestBody: { readonly content: { readonly 'application/json': unknown } }
  readonly responses: Readonly<Record<number, { readonly content: { readonly 'application/json': unknown } }>>
}

export type PathOf<D> = D extends { parameters: { path?: infer Path } } ? Present<Path> : Record<never, never>
export type QueryOf<D> = D extends { parameters: { query?: infer Query } } ? Present<Query> : Record<never, never>
export type BodyOf<D> = D extends { requestBody: { content: infer Content } }
  ? Content[keyof Content]
  : D extends { requestBody?: { content: infer Content } }
    ? Content[keyof Content] | undefined
    : undefined

type Present<T> = [NonNullable<T>] extends [never] ? Record<never, never> : NonNullable<T>

type ResponsesOf<D> = D extends { responses: infer Responses } ? Responses : never

/** A response as a client sees it: a success that the document declares, or an error. */
export type ResponseOf<D> = Success<ResponsesOf<D>> | DeclaredFailure<ResponsesOf<D>> | OtherFailure<ResponsesOf<D>>

type Success<Responses> = {
  [Status in keyof Responses & SuccessStatus]: Responses[Status] extends {
    content: { 'application/json': infer Body }
  }
    ? { readonly status: Status; readonly body: Body; readonly headers?: ResponseHeaders }
    : { readonly status: Status; readonly body?: undefined; readonly headers?: ResponseHeaders }
}[keyof Responses & SuccessStatus]

type SuccessStatus = 200 | 201 | 202 | 203 | 204 | 205 | 206

type DeclaredFailure<Responses> = {
  [Status in DeclaredFailureStatus<Responses>]: Failure<Status, ContentOf<Responses[Status]>>
}[DeclaredFailureStatus<Responses>]

/** With the body of the `default` response, if there is one. */
type OtherFailure<Responses> = Failure<
  Exclude<FailureStatus, DeclaredFailureStatus<Responses>>,
  Responses extends { default: infer Response } ? ContentOf<Response> : unknown
>

/** None if nothing is known about the responses. */
type DeclaredFailureStatus<Responses> = number extends keyof Responses ? never : keyof Responses & FailureStatus

/** Anything if no content is declared. */
type ContentOf<Response> = Response extends { content: infer Content } ? Content[keyof Content] : unknown

interface Failure<Status, Body> {
  readonly status: Status
  /** Default: made from the status. */
  readonly body?: Body
  readonly headers?: ResponseHeaders
}

/** The body of an error response. */
export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly status: number
}

/** A list of values is for `Set-Cookie` only. */
type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>

// biome-ignore format: a line each would be half a page
type FailureStatus =
  | 400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418
  | 421 | 422 | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451
  | 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511
