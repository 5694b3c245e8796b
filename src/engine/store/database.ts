import { factory, nullable, primaryKey } from '@mswjs/data'
import { DATABASE_INSTANCE, ENTITY_TYPE } from '@mswjs/data/lib/glossary.js'
import type { Id } from '../../lib/int64.js'
import type { Database, StoreModel, StoreShape } from './model.js'

const ANY_VALUE = nullable(() => undefined as never)

/** Whether a value is a record of a database. */
export function isStored(value: unknown): value is object {
  return typeof value === 'object' && value !== null && ENTITY_TYPE in value
}

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
  return database as unknown as Database<S>
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
