/** What a test has to hear of even if the code it tests swallows it. */
export interface UnreportedErrors {
  add(error: unknown): void
  /** Throws what was added since, and forgets it. */
  raise(more?: readonly Error[]): void
}

/** Whatever is wrong is wrong often: the first few say it. */
const MAX_KEPT = 10

export function createUnreportedErrors(): UnreportedErrors {
  let kept: unknown[] = []
  let dropped = 0

  return {
    add(error) {
      if (kept.length < MAX_KEPT) kept.push(error)
      else dropped += 1
    },
    raise(more = []) {
      const errors = [...kept, ...more]
      const left = dropped
      kept = []
      dropped = 0
      if (errors.length === 0) return
      if (errors.length === 1 && left === 0) throw errors[0]
      const messages = errors.map((error) => (error instanceof Error ? error.message : String(error)))
      const lines = left > 0 ? [...messages, `and ${left} more`] : messages
      throw new AggregateError(errors, lines.map((line) => `\n- ${line}`).join(''))
    },
  }
}
