import { factory, primaryKey } from '@mswjs/data'
import { DATABASE_INSTANCE, ENTITY_TYPE, type FactoryAPI } from '@mswjs/data/lib/glossary.js'
import type { Id } from '../../lib/int64.js'
import type { Fields, StoreModel, StoreShape } from './model.js'

/** The models of the library, one for each collection: an id, and the fields of the store's model. */
type Dictionary<S extends StoreShape> = {
  [Name in keyof S & string]: { id: ReturnType<typeof primaryKey<Id>> } & Fields<S[Name]['record']>
}

/** A database of @mswjs/data. Everything the library offers for a model works on it. */
export type Database<S extends StoreShape> = FactoryAPI<Dictionary<S>>

/** One model of a database, as a collection uses it. */
export interface Table<R> {
  create(values: R): R
  update(query: { where: { id: { equals: Id } }; data: R; strict: true }): R
  delete(query: { where: { id: { equals: Id } }; strict: true }): R
}

/** Whether a value is a record of a database. */
export function isStored(value: unknown): value is object {
  return typeof value === 'object' && value !== null && ENTITY_TYPE in value
}

/**
 * Opens a database with the given maps as the storage of its models.
 *
 * An id is a string of decimal digits: a double is not exact, and the library cannot query a bigint. A reference to
 * another record is a plain string: the library's relations run a full query at every read.
 */
export function openDatabase<S extends StoreShape>(
  model: StoreModel<S>,
  storage: Readonly<Record<string, Map<Id, object>>>,
): Database<S> {
  const models = Object.entries(model).map(([name, { fields }]) => [name, { id: primaryKey(String), ...fields }])
  const database = factory(Object.fromEntries(models)) as Database<S>
  // The only member of the library that is replaced: its own maps could be neither shared nor reset cheaply.
  const instance = database[DATABASE_INSTANCE] as unknown as { models: typeof storage }
  instance.models = storage
  return database
}
