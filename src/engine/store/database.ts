import { factory, nullable, primaryKey } from '@mswjs/data'
import { DATABASE_INSTANCE, ENTITY_TYPE } from '@mswjs/data/lib/glossary.js'
import type { IdKind } from '../../document/resources/ids/sequence.js'
import type { Id } from '../../lib/int64.js'

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
  /** Whether the ids of removed records are known as used. Default: false, which costs no memory. */
  readonly remembersRemoved?: boolean | undefined
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

const ANY_VALUE = nullable(() => undefined as never)

/** The collection that a record, or a copy of it, is from. */
export const nameOfCollection = (record: object) => (record as { readonly [ENTITY_TYPE]: string })[ENTITY_TYPE]

/**
 * Opens a database with the given maps as the storage of its models.
 *
 * An id is a string: a double is not exact, and the library cannot query a bigint. A reference to another record is a plain
 * string: the library's relations run a full query at every read. Every field may hold any JSON value or be missing: the
 * contract checks what a record holds.
 */
export function openDatabase<S extends StoreShape>(
  model: StoreModel<S>,
  storage: Readonly<Record<string, { has(id: Id): boolean; set(id: Id, record: object): void }>>,
): Database<S> {
  const models = Object.entries<{ fields: readonly string[] }>(model).map(([name, { fields }]) => [
    name,
    { id: primaryKey(String), ...Object.fromEntries(fields.map((field) => [field, ANY_VALUE])) },
  ])
  const database = withoutStacks(() => factory(Object.fromEntries(models)))
  // The only member of the library that is replaced: its own maps could be neither shared nor reset cheaply.
  const instance = database[DATABASE_INSTANCE] as unknown as { models: typeof storage }
  instance.models = storage
  return database as Database<S>
}

/** The library reads a stack trace for each database, which costs more than the rest of it. */
function withoutStacks<T>(callback: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return callback()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
