import { compareIds, type Id, idAfter, idBefore } from '../../lib/int64.js'

const ZERO = '0' as Id

/** Value of `passed` while counting up from an explicit first id. */
const COUNTING_UP = -1

/** The position of a sequence: plain data, so that a snapshot can hold it. */
interface IdPosition {
  /** How many of the largest starting ids have no free id above them, or COUNTING_UP. */
  readonly passed: number
  readonly last: Id
}

/** The state of a sequence at one moment. */
export interface IdSnapshot {
  readonly position: IdPosition
  readonly chosen: ReadonlySet<Id>
}

/** Like a snapshot, but cheap, and void once the sequence has been restored. */
export interface IdMark {
  readonly position: IdPosition
  readonly chosenCount: number
}

export interface StartingIds {
  has(id: Id): boolean
  /** Rank 0 is the largest; undefined past the smallest. */
  largest(rank: number): Id | undefined
}

/**
 * Assigns ids that were never used. Counts up from the largest starting id; at the end of int64, from the largest id
 * with a free one above it. The id of a deleted starting record is not reused, nor is one that a test has chosen.
 */
export class IdSequence {
  readonly #starting: StartingIds
  readonly #start: IdPosition
  #position: IdPosition
  #chosen = new Set<Id>()

  /** `first` is the id to start from instead; ids below it may have been used and deleted. */
  constructor(starting: StartingIds, first?: Id) {
    this.#starting = starting
    this.#start =
      first === undefined ? { passed: 0, last: this.#floor(0) } : { passed: COUNTING_UP, last: idBefore(first) }
    this.#position = this.#start
  }

  take(): Id {
    this.#position = this.#next()
    return this.#position.last
  }

  /** Uses an id of the caller's choice, which will not be assigned from now on. */
  choose(id: Id): Id {
    this.#chosen.add(id)
    return id
  }

  peek(): Id {
    return this.#next().last
  }

  mark(): IdMark {
    return { position: this.#position, chosenCount: this.#chosen.size }
  }

  rollBackTo({ position, chosenCount }: IdMark): void {
    this.restore({ position, chosen: new Set([...this.#chosen].slice(0, chosenCount)) })
  }

  snapshot(): IdSnapshot {
    return { position: this.#position, chosen: new Set(this.#chosen) }
  }

  restore({ position, chosen }: IdSnapshot): void {
    this.#position = position
    this.#chosen = new Set(chosen)
  }

  reset(): void {
    this.restore({ position: this.#start, chosen: new Set() })
  }

  #next(): IdPosition {
    let { passed } = this.#position
    let next = idAfter(this.#position.last)
    while (next === undefined || this.#starting.has(next) || this.#chosen.has(next)) {
      const countsUp = next !== undefined && (passed === COUNTING_UP || this.#chosen.has(next))
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
