/** Deep enough for the caller of a library that sends requests. */
const MAX_FRAMES = 40

/** Where a function was called. The text of `stack` is made when it is read, so capturing it is cheap. */
export interface CallSite {
  readonly stack?: string
}

/** Where `callee` was called. */
export function captureCallSite(callee: (...args: never) => unknown): CallSite {
  const site = {}
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = MAX_FRAMES
  Error.captureStackTrace?.(site, callee)
  Error.stackTraceLimit = stackTraceLimit
  return site
}

/** File, line and column; undefined on a runtime that does not say. */
export function locationOf({ stack }: CallSite): string | undefined {
  return stack?.match(/^ *at (?:.*\()?(.+:\d+:\d+)\)?$/m)?.[1]
}
