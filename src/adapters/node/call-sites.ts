/** Enough for a location, even if the first frames are of built-in functions, which have none. */
const FEW_FRAMES = 5

/** Where a function was called. The text of `stack` is made when it is read, so capturing it is cheap. */
export interface CallSite {
  readonly stack?: string
}

/** Where `callee` was called. The cost depends on the number of frames. */
export function captureCallSite(callee: (...args: never) => unknown, frames = FEW_FRAMES): CallSite {
  const site = {}
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = frames
  Error.captureStackTrace?.(site, callee)
  Error.stackTraceLimit = stackTraceLimit
  return site
}

/** File, line and column; undefined on a runtime that does not say. */
export function locationOf({ stack }: CallSite): string | undefined {
  return stack?.match(/^ *at (?:.*\()?(.+:\d+:\d+)\)?$/m)?.[1]
}
