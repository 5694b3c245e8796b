import type { Id } from '../../../lib/int64.js'

/** How the ids of a collection are read, written, sorted and made. */
export interface IdKind {
  /** An id from a path, a body or a fixture; undefined if it is none of this kind. */
  read(value: unknown): Id | undefined
  /** As JSON has it: a number or bigint if it is an integer, else a string. */
  toJson(id: Id): number | bigint | string
  /** Zero for equal ids only. */
  compare(a: Id, b: Id): number
  /**
   * `first` is the id to start from, or its number if ids are made of 1, 2, 3 and so on. The caller has checked it: it is at
   * least 1.
   */
  createSequence(starting: StartingIds, first?: Id): IdSequence
}

/** Counts 1, 2, 3, and makes an id of each number. Numbers whose ids are in use are skipped. */
export function createCountingSequence(
  idOf: (number: number) => Id,
  starting: StartingIds,
  firstNumber: number,
  step = 1,
): IdSequence {
  return createIdSequence<number>({
    start: firstNumber - step,
    after(last, isChosen) {
      let number = last + step
      for (let id = idOf(number); starting.has(id) || isChosen(id); id = idOf(number)) number += step
      return number
    },
    idAt: idOf,
    firstAt: (number) => String(number) as Id,
  })
}

/**
 * What kinds have in common whose ids are made of numbers. Starting data is mostly generated with the first numbers, so
 * counting starts after as many as there are starting records.
 */
export function countedBy(idOf: (number: number) => Id) {
  return {
    createSequence: (starting: StartingIds, first?: Id): IdSequence =>
      createCountingSequence(idOf, starting, first === undefined ? starting.size + 1 : Number(first)),
  }
}

/** The ids of the starting records. */
export interface StartingIds {
  readonly size: number
  has(id: Id): boolean
  /** Rank 0 is the largest; undefined past the smallest. */
  largest(rank: number): Id | undefined
}

/** The state of a sequence at one moment: plain data. */
export interface IdSnapshot {
  readonly position: unknown
  readonly chosen: ReadonlySet<Id>
}

/** Like a snapshot, but cheap, and void once the sequence has been restored. */
export interface IdMark {
  readonly position: unknown
  readonly chosenCount: number
}

/**
 * Assigns ids that were never used. The id of a deleted starting record is not reused, nor is one that a test has chosen.
 */
export interface IdSequence {
  take(): Id
  /** Uses an id of the caller's choice, which will not be assigned from now on. */
  choose(id: Id): Id
  isChosen(id: Id): boolean
  /** The id that `take` would return. */
  peek(): Id
  /** What a new sequence needs as `first` to continue here. */
  readonly continuation: Id
  mark(): IdMark
  rollBackTo(mark: IdMark): void
  snapshot(): IdSnapshot
  restore(snapshot: IdSnapshot): void
  reset(): void
}

/** How one kind of ids is counted. A position is plain data, so that a snapshot can hold it. */
export interface IdCourse<Position> {
  readonly start: Position
  /** The position of the next id that is in use neither by a starting record nor by choice. */
  after(position: Position, isChosen: (id: Id) => boolean): Position
  idAt(position: Position): Id
  /** What leads back to the position as `first`. Default: its id. */
  firstAt?(position: Position): Id
}

export function createIdSequence<Position>(course: IdCourse<Position>): IdSequence {
  let position = course.start
  let chosen = new Set<Id>()

  const next = () => course.after(position, (id) => chosen.has(id))

  const sequence: IdSequence = {
    take() {
      position = next()
      return course.idAt(position)
    },
    choose(id) {
      chosen.add(id)
      return id
    },
    isChosen: (id) => chosen.has(id),
    peek: () => course.idAt(next()),
    get continuation() {
      return course.firstAt?.(next()) ?? sequence.peek()
    },
    mark: () => ({ position, chosenCount: chosen.size }),
    rollBackTo({ position: before, chosenCount }) {
      sequence.restore({ position: before, chosen: new Set([...chosen].slice(0, chosenCount)) })
    },
    snapshot: () => ({ position, chosen: new Set(chosen) }),
    restore(snapshot) {
      position = snapshot.position as Position
      chosen = new Set(snapshot.chosen)
    },
    reset: () => sequence.restore({ position: course.start, chosen: new Set() }),
  }
  return sequence
}

/** A sequence that continues after the ids in use. */
export function sequenceAfter(kind: IdKind, used: readonly Id[], first?: Id): IdSequence {
  const ids = used.toSorted(kind.compare)
  const known = new Set(ids)
  return kind.createSequence(
    { size: ids.length, has: (id) => known.has(id), largest: (rank) => ids.at(-1 - rank) },
    first,
  )
}
