import type { Id } from '../../lib/int64.js'

export interface Identified {
  readonly id: Id
}

/** The types of a service's data: the record of each collection, and the names of the groupings it can be counted by. */
export type StoreShape = Readonly<Record<string, { readonly record: Identified; readonly groupings: string }>>

/** Sorts a record into a group by the value it returns; undefined leaves the record out of this grouping. */
export type Grouping<R> = (record: R) => string | undefined

/**
 * The fields of a record besides its id, as @mswjs/data defines them: `String`, `Number`, `Boolean`, or `nullable` of one.
 * The compiler checks them against the record's type.
 */
export type Fields<R> = { readonly [Name in Exclude<keyof R, 'id'>]: FieldType<R[Name]> }

type FieldType<Value> = null extends Value ? Nullable<Primitive<NonNullable<Value>>> : () => Primitive<Value>

/** What `nullable` of @mswjs/data returns. The published types must not refer to the library, which is bundled. */
interface Nullable<Value> {
  getValue(): Value | null
}

type Primitive<Value> = Value extends string ? string : Value extends number ? number : boolean

export interface CollectionModel<R extends Identified, G extends string> {
  readonly fields: Fields<R>
  readonly groupings: Readonly<Record<G, Grouping<R>>>
}

export type StoreModel<S extends StoreShape> = {
  readonly [Name in keyof S]: CollectionModel<S[Name]['record'], S[Name]['groupings']>
}

/** All records of a store, in no particular order. */
export type RecordsOf<S extends StoreShape> = { readonly [Name in keyof S]: Iterable<S[Name]['record']> }

/** The id that the next new record of each collection gets. */
export type NextIds<S extends StoreShape> = { readonly [Name in keyof S]: Id }

/** The models of a database of @mswjs/data, one for each collection. */
export type Database<S extends StoreShape> = { readonly [Name in keyof S]: Table<S[Name]['record']> }

/** A model of @mswjs/data, as far as it is used. */
export interface Table<R> {
  create(values: R): R
  update(query: Query<R> & { data: R }): R
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
