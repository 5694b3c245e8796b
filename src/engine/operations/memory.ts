import { createIdKind } from '../../document/resources/ids/kinds.js'
import type { Id } from '../../lib/int64.js'
import type { AnyCollections, StoredRecord } from '../resources/additions.js'
import type { Collection } from '../store/collection.js'
import type { CollectionModel, Identified } from '../store/database.js'

/** The collection for what operations remember beside records. It is reset, restored and saved with them, and never shown. */
export const MEMORY = '/memory'

export const memoryModel: CollectionModel<Identified, string> = {
  fields: ['value', 'at'],
  ids: createIdKind({ type: 'text' }, MEMORY),
  groupings: {},
}

export interface Memory {
  /** Undefined if nothing is remembered under this name. */
  recall(name: string): unknown
  /** Forgets the oldest if there are too many. */
  remember(name: string, value: unknown, at: number): void
  forget(name: string): void
}

const MAX_REMEMBERED = 1000

export function memoryOf(store: AnyCollections): Memory {
  const collection = store[MEMORY] as Collection<StoredRecord, string>
  const memory: Memory = {
    recall: (name) => collection.get(name as Id)?.value,
    remember(name, value, at) {
      memory.forget(name)
      if (collection.size >= MAX_REMEMBERED) {
        const oldest = [...collection.select({})].reduce((a, b) => (Number(b.at) < Number(a.at) ? b : a))
        collection.remove(oldest.id)
      }
      collection.withId(name as Id, () => collection.insert({ value, at }))
    },
    forget(name) {
      if (collection.get(name as Id)) collection.remove(name)
    },
  }
  return memory
}
