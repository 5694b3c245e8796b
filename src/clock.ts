/** Where the mock gets the time from: milliseconds since 1970, UTC. */
export interface TimeSource {
  now(): number
}

/** The machine's time. The only place that asks for it. */
export const systemTime: TimeSource = { now: () => Date.now() }
