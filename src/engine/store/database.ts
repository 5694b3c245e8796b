import { factory, nullable, primaryKey } from '@mswjs/data'
import { DATABASE_INSTANCE, ENTITY_TYPE, PRIMARY_KEY } from '@mswjs/data/lib/glossary.js'
import type { Id } from '../../lib/int64.js'
import type { CategoryRecord, OrderRecord, PetRecord } from '../../petstore/records.js'

/**
 * The data model. An id is a string of decimal digits, because a double is not exact and a bigint cannot be queried;
 * references are plain values, because a relation runs a full query whenever it is read.
 */
const MODEL = {
  category: { id: primaryKey(String), name: String, description: nullable(String) },
  pet: { id: primaryKey(String), name: String, categoryId: String, status: String, stock: Number },
  order: {
    id: primaryKey(String),
    petId: nullable(String),
    quantity: nullable(Number),
    shipDate: nullable(String),
    complete: nullable(Boolean),
  },
}

interface RecordOf {
  category: CategoryRecord
  pet: PetRecord
  order: OrderRecord
}

export type Kind = keyof RecordOf

export type Rows<R> = Map<Id, R>

type Marked<R> = R & { readonly [ENTITY_TYPE]: Kind; readonly [PRIMARY_KEY]: 'id' }

/**
 * A record with the marks by which the library knows its own. Field by field: every write and every record of a
 * generated world comes this way, and copying all there are takes ten times as long.
 */
const TO_STORED: { readonly [K in Kind]: (id: Id, values: Omit<RecordOf[K], 'id'>) => RecordOf[K] } = {
  category: (id, { name, description }) =>
    ({ id, name, description, [ENTITY_TYPE]: 'category', [PRIMARY_KEY]: 'id' }) satisfies Marked<CategoryRecord>,
  pet: (id, { name, categoryId, status, stock }) =>
    ({ id, name, categoryId, status, stock, [ENTITY_TYPE]: 'pet', [PRIMARY_KEY]: 'id' }) satisfies Marked<PetRecord>,
  order: (id, { petId, quantity, shipDate, complete }) =>
    ({
      id,
      petId,
      quantity,
      shipDate,
      complete,
      [ENTITY_TYPE]: 'order',
      [PRIMARY_KEY]: 'id',
    }) satisfies Marked<OrderRecord>,
}

/** Writes one kind of record through the model; reading goes to the storage itself. */
export interface Table<R> {
  create(id: Id, values: Omit<R, 'id'>): R
  update(previous: R, next: R): R
  delete(id: Id): void
}

/** What this file uses of the library's database, which its types keep to themselves. */
interface Instance {
  models: Record<Kind, Rows<object>>
  /** Tells whoever follows what changes. */
  events: { emit(): boolean }
  serializeEntity(entity: object): object
  create(kind: Kind, entity: object): void
  update(kind: Kind, previous: object, next: object): void
  delete(kind: Kind, id: Id): void
}

/**
 * Opens a database on the given storage, one map a kind. Queries of the library walk every row, so by-id access goes
 * to the map itself; records are frozen on the way in, so that what is handed out cannot change what is kept.
 */
export function openDatabase(storage: { [K in Kind]: Rows<RecordOf[K]> }): { [K in Kind]: Table<RecordOf[K]> } {
  const database = withoutBroadcast(() => factory(MODEL))
  const instance = database[DATABASE_INSTANCE] as unknown as Instance
  instance.models = storage
  // Nobody follows (see `withoutBroadcast`), and a copy for each who does would be made with every write.
  instance.events = NOBODY
  instance.serializeEntity = (entity) => entity

  const table = <K extends Kind>(kind: K): Table<RecordOf[K]> => ({
    create(id, values) {
      // The model's own `create` makes the same of it, and looks for what is missing or there already; nothing is.
      const stored = Object.freeze(TO_STORED[kind](id, values)) as RecordOf[K]
      instance.create(kind, stored)
      return stored
    },
    update(previous, next) {
      const stored = Object.freeze(TO_STORED[kind](previous.id, next)) as RecordOf[K]
      instance.update(kind, previous, stored)
      return stored
    },
    delete: (id) => instance.delete(kind, id),
  })
  return { category: table('category'), pet: table('pet'), order: table('order') }
}

const NOBODY = { emit: () => false }

/**
 * In a page the library would open a channel that keeps tabs in step behind our indexes, and in a simulated page one
 * that is never closed and keeps the process alive.
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
