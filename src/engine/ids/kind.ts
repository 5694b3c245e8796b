import type { Id } from '../../lib/int64.js'
import type { IdSequence, StartingIds } from './id-sequence.js'

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
