import { compareIds, type Id, idAfter, idBefore } from '../../lib/int64.js'

const ZERO = '0' as Id

/** Instead of a number of ids passed: none is to be, before the end of int64. */
const UPWARDS = -1

/** How far a sequence has come; plain data, so that it can be kept in a snapshot. */
export interface IdPosition {
  /** How many of the largest starting ids have no room left above them, or that it goes upwards. */
  readonly passed: number
  readonly last: Id
}

/** The ids a world starts with: whether one is among them, and the largest ones in order. */
export interface StartingIds {
  has(id: Id): boolean
  /** Counted from the largest, which is 0; undefined past the smallest. */
  largest(rank: number): Id | undefined
}

/**
 * Hands out ids that no record has or ever had: counting on from the largest starting id, and where int64 ends, from
 * the largest one that has room above it. Starting ids stay taken when their record is deleted.
 */
export class IdSequence {
  readonly #starting: StartingIds
  readonly start: IdPosition
  position: IdPosition

  /** `first` is an id to go on from instead, upwards past those that are taken: ids below it may have been given out. */
  constructor(starting: StartingIds, first?: Id) {
    this.#starting = starting
    this.start = first === undefined ? { passed: 0, last: this.#floor(0) } : { passed: UPWARDS, last: idBefore(first) }
    this.position = this.start
  }

  take(): Id {
    this.position = this.#next()
    return this.position.last
  }

  /** The id that is taken next. */
  peek(): Id {
    return this.#next().last
  }

  #next(): IdPosition {
    let { passed } = this.position
    let next = idAfter(this.position.last)
    while (next === undefined || this.#starting.has(next)) {
      const goesUpwards = passed === UPWARDS && next !== undefined
      if (!goesUpwards) passed += 1
      next = idAfter(goesUpwards ? (next as Id) : this.#floor(passed))
    }
    return { passed, last: next }
  }

  /** Assigned ids are positive, whatever a fixture holds. */
  #floor(rank: number): Id {
    const id = this.#starting.largest(rank)
    return id === undefined || compareIds(id, ZERO) < 0 ? ZERO : id
  }
}

/** The sequence that goes on from ids that are taken. */
export function sequenceAfter(taken: readonly Id[], first?: Id): IdSequence {
  const ids = taken.toSorted(compareIds)
  const known = new Set(ids)
  return new IdSequence({ has: (id) => known.has(id), largest: (rank) => ids.at(-1 - rank) }, first)
}
