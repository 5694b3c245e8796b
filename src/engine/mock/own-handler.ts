import type { BodyOf, PathOf, QueryOf } from '../../document/schema/types.js'
import type { ApiError } from '../../http/errors.js'
import type { HandlerResponse } from '../../http/messages.js'
import type { MaybePromise } from '../../lib/functions.js'
import type { Change, ResourceContext } from '../crud/handler.js'
import type { AnyNeighbours } from '../instance/neighbours.js'
import type { ServiceFunction, StoredRecord } from '../resources/additions.js'
import type { ServiceTypes } from '../service.js'

/** A valid request to an operation with a handler of its own. */
export interface OwnContext<R = StoredRecord> extends Omit<ResourceContext, 'services'> {
  /** The record that the path names. Undefined if there is none, and for operations of a whole collection or without state. */
  readonly record: R | undefined
  /** Makes an error response with one of the codes in `errors`, to be thrown: `throw fail('BOOK_LENT', 'Book 1 is lent.')`. */
  fail(code: string, message: string): ApiError
  /**
   * The services beside this one, by name, with their `data` and `fetch`: `services.billing.data.invoices.create()`. In a
   * sandbox, those of the sandbox with the same name. One that is not there throws UNKNOWN_SERVICE.
   */
  readonly services: AnyNeighbours
}

/** By operationId. The parameters and the body of a request have the types that `operations` gives them. */
export type OwnHandlers<T extends ServiceTypes> = {
  readonly [O in keyof T['operations']]?: ServiceFunction<
    Parameters<OwnHandler<ContextOf<T, T['operations'][O]>>>,
    ReturnType<OwnHandler>
  >
}

type ContextOf<T extends ServiceTypes, D> = string extends keyof T['operations']
  ? Omit<OwnContext, 'services'> & Pick<T, 'services'>
  : Omit<OwnContext, 'path' | 'query' | 'body' | 'services'> &
      Pick<T, 'services'> & {
        readonly path: PathOf<D>
        readonly query: QueryOf<D>
        readonly body: BodyOf<D>
      }

/**
 * Implements an operation in the service's own way. `standard` does what the operation does without it: with a function, it
 * stores what that returns for the record: `standard((book) => ({ ...book, shelf: shelfOf(store.authors.get(book.authorId)) }))`.
 * A function that throws what `fail` returns changes nothing. It may return a promise, to wait for another service.
 */
export type OwnHandler<Context = OwnContext, Next = StoredRecord> = (
  context: Context,
  standard: (change?: Change<Next>) => HandlerResponse,
) => MaybePromise<HandlerResponse>
