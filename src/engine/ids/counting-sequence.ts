import type { Id } from '../../lib/int64.js'
import { createIdSequence, type IdSequence, type StartingIds } from './id-sequence.js'

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
