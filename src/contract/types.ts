import type { operations as ControlOperations } from './generated/control-types.js'
import type { operations as StoreOperations } from './generated/openapi-types.js'
import type { Id } from './int64.js'

/** The operations of both documents, by operationId. */
export type StoreOperationId = keyof StoreOperations
export type ControlOperationId = keyof ControlOperations
export type OperationId = StoreOperationId | ControlOperationId

type Described<O extends OperationId> = (StoreOperations & ControlOperations)[O]

export type PathOf<O extends OperationId> = Present<Described<O>['parameters']['path']>
export type QueryOf<O extends OperationId> = Present<Described<O>['parameters']['query']>
export type BodyOf<O extends OperationId> =
  Described<O> extends { requestBody: { content: infer Content } } ? Content[keyof Content] : undefined

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
type Writable<T> = [bigint] extends [T]
  ? Id
  : T extends readonly (infer Item)[]
    ? readonly Writable<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: undefined extends T[K] ? Writable<NonNullable<T[K]>> | null : Writable<T[K]> }
      : T
