/** Where the mock gets the time from, in milliseconds. */
export interface TimeSource {
  now(): number
}

/** The date, UTC, or the one that a test runner fakes: the store's clock runs with it, and nothing else does. */
export const systemTime: TimeSource = { now: () => Date.now() }

// Read when this module is loaded: a test runner that fakes the time later replaces the globals.
const realDate = Date.now
const realElapsed = performance.now.bind(performance)

/** The machine's date, UTC, whatever a test runner fakes. For showing only: it can be set back. */
export const machineDate: TimeSource = { now: () => realDate() }

/** For durations and time-outs: only differences mean anything, and neither a person nor a test runner can set it. */
export const monotonicTime: TimeSource = { now: () => realElapsed() }

/** Resolves after so many milliseconds of the machine's time, or as soon as nobody waits any more. */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done)
  })
}

/** Does something again and again until what it returns is called. Does not keep a process alive. */
export function every(milliseconds: number, act: () => void): () => void {
  const timer: unknown = setInterval(act, milliseconds)
  // A number in a page.
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) (timer as NodeJS.Timeout).unref()
  return () => clearInterval(timer as NodeJS.Timeout)
}
