import type { Id } from '../../lib/int64.js'
import type { IdKind } from '../ids/kind.js'

export interface Identified {
  readonly id: Id
}

/** The types of a service's data: the record of each collection, and the names of the groupings it can be counted by. */
export type StoreShape = Readonly<Record<string, { readonly record: Identified; readonly groupings: string }>>

/** Sorts a record into a group by the value it returns; undefined leaves the record out of this grouping. */
export type Grouping<R> = (record: R) => string | undefined

export interface CollectionModel<R extends Identified, G extends string> {
  /** The properties of a record besides its id. One that a record lacks is undefined; null is a value. */
  readonly fields: readonly string[]
  /** Default: 64-bit integers. */
  readonly ids?: IdKind | undefined
  readonly groupings: Readonly<Record<G, Grouping<R>>>
}

export type StoreModel<S extends StoreShape> = {
  readonly [Name in keyof S]: CollectionModel<S[Name]['record'], S[Name]['groupings']>
}

/** All records of a store, in no particular order. */
export type RecordsOf<S extends StoreShape> = { readonly [Name in keyof S]: Iterable<S[Name]['record']> }

/** The id that the next new record of each collection gets, or the number of this id if the kind is counted. */
export type NextIds<S extends StoreShape> = { readonly [Name in keyof S]: Id }

/** The models of a database of @mswjs/data, one for each collection. */
export type Database<S extends StoreShape> = { readonly [Name in keyof S]: Table<S[Name]['record']> }

/** A model of @mswjs/data, as far as it is used. */
export interface Table<R> {
  create(values: R): R
  delete(query: Query<R>): R
  findFirst(query: Query<R>): R | null
  findMany(query: Query<R>): R[]
  count(query?: Query<R>): number
  getAll(): R[]
}

interface Query<R> {
  where?: { [Name in keyof R]?: object }
  /** Throws when nothing is found. */
  strict?: boolean
  /** The library's other options: for sorting and paging. */
  [option: string]: unknown
}
