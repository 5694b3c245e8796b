import { monotonicTime, type TimeSource } from './clock.js'

/** A long task that can pause at every `yield`: the same code runs at once, or in slices that let others run in between. */
export type Steps<T> = Generator<void, T, void>

export function runNow<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Short, because requests wait until a slice, and any garbage collection in it, is over. */
const SLICE_MS = 5

/** Runs a task in slices. Between two of them the event loop handles everything else. A short task takes one slice. */
export async function runInSlices<T>(steps: Steps<T>, pause = nextTurn, time: TimeSource = monotonicTime): Promise<T> {
  // If tasks are already waiting, it queues up: their first slices, run back to back, would block for too long.
  if (waiting.length > 0) await pause()
  for (;;) {
    const end = time.now() + SLICE_MS
    do {
      const { done, value } = steps.next()
      if (done) return value
    } while (time.now() < end)
    await pause()
  }
}

/** The tasks that wait for their next slice. Shared by all mocks, because they share the event loop. */
const waiting: (() => void)[] = []

/** Resolves in a later turn of the event loop. Only one task resumes in each turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resume) => {
    waiting.push(resume)
    if (waiting.length === 1) callLater(resumeNext)
  })
}

function resumeNext(): void {
  const resume = waiting.shift()
  if (waiting.length > 0) callLater(resumeNext)
  resume?.()
}

// Saved when this module is loaded, before a test runner can fake it. A fake one has a property `clock`.
const { setImmediate: realSetImmediate } = globalThis
const hasImmediates = typeof realSetImmediate === 'function' && !('clock' in realSetImmediate)

/** Deno looks at its sockets only in about every 31st turn of a busy event loop; Node and Bun in each. */
const MAX_TURNS = 32

/** Not by a timer, because test runners fake timers, and browsers delay them. Only jsdom has nothing else. */
function callLater(act: () => void): void {
  if (hasImmediates) callAfterTurns(MAX_TURNS, monotonicTime.now() + SLICE_MS, act)
  else if (typeof MessageChannel !== 'undefined') callByMessage(act)
  else setTimeout(act)
}

/** Stops early once the time of a slice has passed. */
function callAfterTurns(turns: number, end: number, act: () => void): void {
  realSetImmediate(() => {
    if (turns > 1 && monotonicTime.now() < end) callAfterTurns(turns - 1, end, act)
    else act()
  })
}

function callByMessage(act: () => void): void {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    port1.close()
    act()
  }
  port2.postMessage(undefined)
}
