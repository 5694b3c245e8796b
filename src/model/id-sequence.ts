import { compareIds, type Id, idAfter } from '../contract/int64.js'

const ZERO = '0' as Id

/** How far a sequence has come; plain data, so that it can be kept in a snapshot. */
export interface IdPosition {
  /** How many of the largest starting ids have no room left above them. */
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
  position: IdPosition

  constructor(starting: StartingIds) {
    this.#starting = starting
    this.position = this.start
  }

  get start(): IdPosition {
    return { passed: 0, last: this.#floor(0) }
  }

  take(): Id {
    let { passed, last } = this.position
    let next = idAfter(last)
    while (next === undefined || this.#starting.has(next)) {
      passed += 1
      next = idAfter(this.#floor(passed))
    }
    last = next
    this.position = { passed, last }
    return last
  }

  /** Assigned ids are positive, whatever a fixture holds. */
  #floor(rank: number): Id {
    const id = this.#starting.largest(rank)
    return id === undefined || compareIds(id, ZERO) < 0 ? ZERO : id
  }
}
