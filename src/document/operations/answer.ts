import { toResourceOperation } from '../resources/roles.js'
import type { Answer, Known, Unclaimed } from './meaning.js'
import { recordsAlong } from './path-records.js'

/** Everything else. */
export function recogniseAnswer(operation: Unclaimed, known: Known): Answer {
  const below = recordsAlong(operation.path.segments, known).at(-1)
  const described = toResourceOperation(operation, 'read', NO_HINT, {})
  return { kind: 'answer', operationId: operation.name, operation: described, ...(below && { below }) }
}

const NO_HINT = { collection: '', noun: '' }
