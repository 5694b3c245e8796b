import { nextTurn, runInSlices, type Steps } from './steps.js'

/** The task that `runInTurn` was called with last, until it is done. */
let lastInTurn: Promise<unknown> | undefined

/** Runs a task in slices when all earlier tasks are done, so that only one of them takes memory at a time. */
export async function runInTurn<T>(start: () => Steps<T>): Promise<T> {
  // Many short tasks, run back to back, would block for too long.
  const turn = lastInTurn?.then(() => nextTurn())
  const done = turn === undefined ? runInSlices(start()) : turn.then(() => runInSlices(start()))
  const settled = done.then(forget, forget)
  lastInTurn = settled
  return done

  function forget(): void {
    if (lastInTurn === settled) lastInTurn = undefined
  }
}
