import { messageOf, throwErrors } from '../../engine/control/unreported-errors.js'

/**
 * Calls `check`, and throws only what the running test has not already failed with, such as a blocked request whose error
 * the test did not catch.
 */
export function checkUnlessReported(check: () => void, reported: readonly unknown[]): void {
  try {
    check()
  } catch (error) {
    // A test runner may have copied an error.
    const texts = reported.flatMap((each) => (each as Partial<Error> | null | undefined)?.message || [])
    const errors = error instanceof AggregateError ? (error.errors as unknown[]) : [error]
    // `check` adds the time to a message.
    const left = errors.filter((each) => !texts.some((text) => messageOf(each).startsWith(text)))
    if (left.length === errors.length) throw error
    throwErrors(left)
  }
}
