/** Where the mock gets the time from: milliseconds since 1970, UTC. */
export interface TimeSource {
  now(): number
}

/** The machine's time. The only place that asks for it. */
export const systemTime: TimeSource = { now: () => Date.now() }

/** For how long something took: only differences mean anything, and no one can set it. */
export const monotonicTime: TimeSource = { now: () => performance.now() }
