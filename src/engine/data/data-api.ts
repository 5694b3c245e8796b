import type { Outcome, PlainRequest } from '../../http/messages.js'
import type { Id } from '../../lib/int64.js'
import type { AnyCollections } from '../resources/additions.js'
import type { NextIds, RecordsOf, StoreShape } from '../store/database.js'

export interface ImportedState<S extends StoreShape> {
  readonly records: RecordsOf<S>
  readonly nextIds: Partial<NextIds<S>>
}

/** What a service's `data` can use. */
export interface DataDependencies<Options> {
  readonly options: Options
  seed(): number
  /** The collections of the store. Throws while the starting data is being generated. */
  store(): AnyCollections
  /** The time by the mock's clock, in milliseconds. */
  now(): number
  /** Called after each change of the data that is no request. */
  onChange(): void
  /** Handles a request like any other, but without faults, overrides and journal. */
  handle(request: PlainRequest): Outcome
  /** Throws while the starting data is being generated. */
  requireReady(): void
  /** Calls a function that creates a record of this collection, which gets this id. No record must have it. */
  withId<Result>(collection: string, id: Id, create: () => Result): Result
  /** Undoes all changes when `act` throws. */
  atomically<Result>(act: () => Result): Result
}

export interface DataApi<Data> {
  readonly data: Data
  /** A page of a collection of `data`, and the number of records on all pages. Throws an ApiError for an invalid query. */
  page(collection: string, query: PageQuery): { records: unknown[]; total: number }
  /** Makes the random values start again from the seed. */
  reset(): void
}

/** `offset`, `limit`, `sort`, and the filters of the collection. */
export type PageQuery = Readonly<Record<string, string | number | readonly string[]>>
