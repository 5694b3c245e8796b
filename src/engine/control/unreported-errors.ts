import { describeValue, isError } from '../../lib/thrown.js'
import { MockError } from '../contract/errors.js'

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
      const messages = errors.map(messageOf)
      const lines = left > 0 ? [...messages, `and ${left} more`] : messages
      throw new AggregateError(errors, lines.map((line) => `\n- ${line}`).join(''))
    },
  }
}

function messageOf(error: unknown): string {
  return describeValue(isError(error) ? error.message : error)
}

/**
 * Calls a function of the user's. What it throws, or rejects with later, is reported: it must neither end the process nor
 * leave a client without a response. Returns undefined where it throws.
 */
export function callUserFunction<T>(name: string, call: () => T, report: (error: Error) => void): T | undefined {
  const fail = (thrown: unknown) =>
    report(isError(thrown) ? thrown : new MockError('CALLBACK_FAILED', `${name} threw ${describeValue(thrown)}`))
  try {
    const returned = call()
    if (typeof returned === 'object' && returned !== null) void new Promise((resolve) => resolve(returned)).catch(fail)
    return returned
  } catch (thrown) {
    fail(thrown)
    return undefined
  }
}
