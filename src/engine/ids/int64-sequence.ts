import { compareIds, type Id, idAfter, idBefore } from '../../lib/int64.js'
import { createIdSequence, type IdSequence, type StartingIds } from './id-sequence.js'

const ZERO = '0' as Id

/** Value of `passed` while counting up from an explicit first id. */
const COUNTING_UP = -1

interface IdPosition {
  /** How many of the largest starting ids have no free id above them, or COUNTING_UP. */
  readonly passed: number
  readonly last: Id
}

/**
 * Counts up from the largest starting id; at the end of int64, from the largest id with a free one above it. `first` is the
 * id to start from instead; ids below it may have been used and deleted.
 */
export function createInt64Sequence(starting: StartingIds, first?: Id): IdSequence {
  /** Assigned ids are positive, even when a fixture has negative ones. */
  function floor(rank: number): Id {
    const id = starting.largest(rank)
    return id === undefined || compareIds(id, ZERO) < 0 ? ZERO : id
  }

  return createIdSequence<IdPosition>({
    start: first === undefined ? { passed: 0, last: floor(0) } : { passed: COUNTING_UP, last: idBefore(first) },
    after({ passed: passedBefore, last }, isChosen) {
      let passed = passedBefore
      let next = idAfter(last)
      while (next === undefined || starting.has(next) || isChosen(next)) {
        const countsUp = next !== undefined && (passed === COUNTING_UP || isChosen(next))
        if (!countsUp) passed += 1
        next = idAfter(countsUp ? (next as Id) : floor(passed))
      }
      return { passed, last: next }
    },
    idAt: ({ last }) => last,
  })
}
