import { compareIds, parseAnyId, toJsonInt64 } from '../../lib/int64.js'
import { createInt64Sequence } from './int64-sequence.js'
import type { IdKind } from './kind.js'

export const INT64_IDS: IdKind = {
  read: parseAnyId,
  toJson: toJsonInt64,
  compare: compareIds,
  createSequence: createInt64Sequence,
}
