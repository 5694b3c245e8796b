/** Where the mock gets the time from: milliseconds since 1970, UTC. */
export interface TimeSource {
  now(): number
}

/** The machine's time. The only place that asks for it. */
export const systemTime: TimeSource = { now: () => Date.now() }

/** For how long something took: only differences mean anything, and no one can set it. */
export const monotonicTime: TimeSource = { now: () => performance.now() }

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
