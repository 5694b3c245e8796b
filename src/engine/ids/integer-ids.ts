import { compareIds, type Id, parseAnyId } from '../../lib/int64.js'
import type { IdRange } from '../resources/resource.js'
import { createCountingSequence } from './counting-sequence.js'
import type { IdKind } from './kind.js'

/**
 * Integers that a double holds exactly. New ids continue after the largest starting id; if that is the maximum, they are the
 * smallest unused ones. When no id up to the maximum is left, they exceed it.
 */
export function createIntegerIds(range: IdRange): IdKind {
  const minimum = Math.max(Math.ceil(range.minimum ?? Number.MIN_SAFE_INTEGER), Number.MIN_SAFE_INTEGER)
  const maximum = Math.min(Math.floor(range.maximum ?? Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
  const step = range.multipleOf ?? 1
  const toMultiple = (number: number) => Math.ceil(number / step) * step
  /** New ids are positive if the range allows it. */
  const smallest = toMultiple(maximum < 1 ? minimum : Math.max(minimum, 1))
  const isInRange = (id: Id) => Number(id) >= minimum && Number(id) <= maximum
  return {
    read(value) {
      const id = parseAnyId(value)
      return id !== undefined && Number.isSafeInteger(Number(id)) && isInRange(id) ? id : undefined
    },
    toJson: Number,
    compare: compareIds,
    createSequence(starting, first) {
      const largest = Number(starting.largest(0) ?? smallest - 1)
      const next = toMultiple(largest + 1)
      const afterLargest = next > maximum ? smallest : Math.max(next, smallest)
      const firstNumber = first === undefined ? afterLargest : toMultiple(Number(first))
      return createCountingSequence((number) => String(number) as Id, starting, firstNumber, step)
    },
  }
}
