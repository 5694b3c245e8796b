import { factory, nullable, primaryKey } from '@mswjs/data'
import { DATABASE_INSTANCE, ENTITY_TYPE, PRIMARY_KEY } from '@mswjs/data/lib/glossary.js'
import type { Id } from '../../lib/int64.js'
import type { Identified, StoreModel, StoreShape } from './model.js'

/** Writes the records of one collection. Reading by id goes to the storage itself, because queries walk every row. */
export interface Table<R> {
  create(id: Id, values: Omit<R, 'id'>): R
  update(previous: R, next: R): R
  delete(id: Id): void
}

/** The members of the library's database that this file uses; its types do not show them. */
interface Instance {
  models: Record<string, Map<Id, object>>
  events: { emit(): boolean }
  serializeEntity(entity: object): object
  create(collection: string, entity: object): void
  update(collection: string, previous: object, next: object): void
  delete(collection: string, id: Id): void
}

/** Opens a database on the given storage, one map for each collection. Stored records are frozen. */
export function openDatabase<S extends StoreShape>(
  model: StoreModel<S>,
  storage: Readonly<Record<string, Map<Id, Identified>>>,
): Record<string, Table<Identified>> {
  const database = withoutBroadcast(() => factory(toLibraryModel(model)))
  const instance = database[DATABASE_INSTANCE as never] as unknown as Instance
  instance.models = storage
  // Nothing subscribes, and the library would copy every record for its subscribers.
  instance.events = { emit: () => false }
  instance.serializeEntity = (entity) => entity
  return Object.fromEntries(
    Object.entries(model).map(([name, { fields }]) => [name, createTable(instance, name, Object.keys(fields))]),
  )
}

function createTable(instance: Instance, name: string, fields: readonly string[]): Table<Identified> {
  const toStored = (id: Id, values: object): Identified => {
    const stored: Record<PropertyKey, unknown> = { id }
    for (const field of fields) stored[field] = values[field as never]
    // By these the library recognises its own records.
    stored[ENTITY_TYPE as never] = name
    stored[PRIMARY_KEY as never] = 'id'
    return Object.freeze(stored) as unknown as Identified
  }
  return {
    create(id, values) {
      const stored = toStored(id, values)
      instance.create(name, stored)
      return stored
    },
    update(previous, next) {
      const stored = toStored(previous.id, next)
      instance.update(name, previous, stored)
      return stored
    },
    delete: (id) => instance.delete(name, id),
  }
}

const CONSTRUCTORS: Readonly<Record<string, StringConstructor | NumberConstructor | BooleanConstructor>> = {
  string: String,
  number: Number,
  boolean: Boolean,
}

/**
 * An id is a string of decimal digits: a double is not exact, and the library cannot query a bigint. A reference is a
 * plain value: the library's relations run a full query at every read.
 */
function toLibraryModel<S extends StoreShape>(model: StoreModel<S>) {
  const collections = Object.entries(model).map(([name, { fields }]) => {
    const entries = Object.entries(fields as Record<string, string>).map(([field, declared]) => {
      const [primitive = '', isNullable] = declared.split(' | ')
      const type = CONSTRUCTORS[primitive] as StringConstructor
      return [field, isNullable ? nullable(type) : type]
    })
    return [name, { id: primaryKey(String), ...Object.fromEntries(entries) }]
  })
  return Object.fromEntries(collections) as Record<string, { id: ReturnType<typeof primaryKey<string>> }>
}

/**
 * In a page the library would open a channel that synchronises tabs without updating our indexes; in jsdom one that is
 * never closed and keeps the process alive.
 */
function withoutBroadcast<T>(open: () => T): T {
  const channel = Object.getOwnPropertyDescriptor(globalThis, 'BroadcastChannel')
  if (channel?.configurable !== true) return open()
  Object.defineProperty(globalThis, 'BroadcastChannel', { value: undefined, configurable: true })
  try {
    return open()
  } finally {
    Object.defineProperty(globalThis, 'BroadcastChannel', channel)
  }
}
