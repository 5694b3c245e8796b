import type { Id } from '../../lib/int64.js'
import type { IdSequence } from './id-sequence.js'
import type { IdKind } from './kind.js'

/** A sequence that continues after the ids in use. */
export function sequenceAfter(kind: IdKind, used: readonly Id[], first?: Id): IdSequence {
  const ids = used.toSorted(kind.compare)
  const known = new Set(ids)
  return kind.createSequence(
    { size: ids.length, has: (id) => known.has(id), largest: (rank) => ids.at(-1 - rank) },
    first,
  )
}
