/** Where the mock gets the time from, in milliseconds. */
export interface TimeSource {
  now(): number
}

/** The date, which a test runner can fake. Only the mock's clock follows it. */
export const systemTime: TimeSource = { now: () => Date.now() }

// Saved when this module is loaded, before a test runner can fake the globals.
const realDate = Date.now
const realElapsed = performance.now.bind(performance)

/** The machine's date, even if a test runner fakes the time. For display only: it can be set back. */
export const machineDate: TimeSource = { now: () => realDate() }

/** For durations and timeouts: it cannot be set back or faked. Only differences are meaningful. */
export const monotonicTime: TimeSource = { now: () => realElapsed() }

/** Resolves after the given number of milliseconds, or as soon as the signal is aborted. */
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

/** Repeats an action until the returned function is called. Does not keep the process alive. */
export function every(milliseconds: number, act: () => void): () => void {
  const timer: unknown = setInterval(act, milliseconds)
  // In a browser a timer is a number.
  if (typeof timer === 'object' && timer !== null && 'unref' in timer) (timer as NodeJS.Timeout).unref()
  return () => clearInterval(timer as NodeJS.Timeout)
}
