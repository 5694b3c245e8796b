import { compareIds, type Id, idAfter, idBefore } from '../../lib/int64.js'

const ZERO = '0' as Id

/** Value of `passed` while counting up from an explicit first id. */
const COUNTING_UP = -1

/** The position of a sequence: plain data, so that a snapshot can hold it. */
export interface IdPosition {
  /** How many of the largest starting ids have no free id above them, or COUNTING_UP. */
  readonly passed: number
  readonly last: Id
}

export interface StartingIds {
  has(id: Id): boolean
  /** Rank 0 is the largest; undefined past the smallest. */
  largest(rank: number): Id | undefined
}

/**
 * Assigns ids that were never used. Counts up from the largest starting id; at the end of int64, from the largest id
 * with a free one above it. The id of a deleted starting record is not reused.
 */
export class IdSequence {
  readonly #starting: StartingIds
  readonly start: IdPosition
  position: IdPosition

  /** `first` is the id to start from instead; ids below it may have been used and deleted. */
  constructor(starting: StartingIds, first?: Id) {
    this.#starting = starting
    this.start =
      first === undefined ? { passed: 0, last: this.#floor(0) } : { passed: COUNTING_UP, last: idBefore(first) }
    this.position = this.start
  }

  take(): Id {
    this.position = this.#next()
    return this.position.last
  }

  peek(): Id {
    return this.#next().last
  }

  #next(): IdPosition {
    let { passed } = this.position
    let next = idAfter(this.position.last)
    while (next === undefined || this.#starting.has(next)) {
      const countsUp = passed === COUNTING_UP && next !== undefined
      if (!countsUp) passed += 1
      next = idAfter(countsUp ? (next as Id) : this.#floor(passed))
    }
    return { passed, last: next }
  }

  /** Assigned ids are positive, even when a fixture has negative ones. */
  #floor(rank: number): Id {
    const id = this.#starting.largest(rank)
    return id === undefined || compareIds(id, ZERO) < 0 ? ZERO : id
  }
}

/** A sequence that continues after the ids in use. */
export function sequenceAfter(used: readonly Id[], first?: Id): IdSequence {
  const ids = used.toSorted(compareIds)
  const known = new Set(ids)
  return new IdSequence({ has: (id) => known.has(id), largest: (rank) => ids.at(-1 - rank) }, first)
}
