import { describeValue, isError } from '../../lib/thrown.js'
import { MockError } from '../contract/errors.js'

export interface UnreportedErrors {
  add(error: unknown): void
  addEntry(entry: Entry): void
  /** Throws the errors that were added since the last call, if any, and drops them. */
  throwAll(more?: readonly Error[]): void
}

/** The same mistake is often made many times; the first few errors say enough. */
const MAX_ERRORS = 10

interface Entry {
  readonly error: unknown
  isReported: boolean
}

/**
 * Errors that the code under test may have swallowed. Those of a sandbox are its parent's as well, until one of the two has
 * thrown them.
 */
export function createUnreportedErrors(parent?: UnreportedErrors): UnreportedErrors {
  let pending: Entry[] = []
  let dropped = 0

  function addEntry(entry: Entry): void {
    pending = pending.filter(({ isReported }) => !isReported)
    if (pending.length < MAX_ERRORS) pending.push(entry)
    else dropped += 1
    parent?.addEntry(entry)
  }

  return {
    add: (error) => addEntry({ error, isReported: false }),
    addEntry,
    throwAll(more = []) {
      const entries = pending.filter(({ isReported }) => !isReported)
      for (const entry of entries) entry.isReported = true
      const errors = [...entries.map(({ error }) => error), ...more]
      const left = dropped
      pending = []
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
  return isError(error) ? describeValue(error.message, Number.POSITIVE_INFINITY) : describeValue(error)
}

/**
 * Calls a function of the user. An error that it throws, or rejects with later, is reported: it must not end the process or
 * leave a client without a response. Returns undefined when it throws.
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
