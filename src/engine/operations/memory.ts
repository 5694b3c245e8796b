import { createIdKind } from '../../document/resources/ids/kinds.js'
import type { Id } from '../../lib/int64.js'
import type { AnyCollections, StoredRecord } from '../resources/additions.js'
import type { Collection } from '../store/collection.js'
import type { CollectionModel, Identified } from '../store/database.js'

/** Idempotency keys are apart, so that many of them never push out anything else, such as what was set. */
type Kind = '/memory' | '/keys'

const toModel = (kind: Kind): CollectionModel<Identified, string> => ({
  fields: ['value', 'at'],
  ids: createIdKind({ type: 'text' }, kind),
  groupings: {},
})

/**
 * The collections for what operations remember beside records. They are reset with these, and restored from snapshots, but are
 * neither shown nor part of an exported or kept state.
 */
export const createMemoryModels = () => ({ '/memory': toModel('/memory'), '/keys': toModel('/keys') })

export interface Memory {
  /** Undefined if nothing is remembered under this name. */
  recall(name: string): unknown
  /** Forgets the oldest if there are too many. */
  remember(name: string, value: unknown, at: number): void
  forget(name: string): void
}

const MAX_REMEMBERED = 1000

export function memoryOf(store: AnyCollections, kind: Kind = '/memory'): Memory {
  const collection = store[kind] as Collection<StoredRecord, string>
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
