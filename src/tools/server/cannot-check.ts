/** A check cannot be run and is skipped. The message says why, in a few words. */
export class CannotCheck extends Error {}

/** The service did not respond, or not completely. */
export class NoResponse extends CannotCheck {}

/** The reason of what was skipped because it may only read. */
export const NEEDS_WRITES = 'writes to the service'
/** Nothing more is written. */
export const CHANGED = 'a record that verify did not create has changed'
export const STOPPED = 'the run was stopped'
export const SILENT = 'the service no longer responds'

/** The result, or the error if the service did not respond. */
export function orGivenUp<T>(result: Promise<T>): Promise<T | CannotCheck> {
  return result.catch((error: unknown) => {
    if (error instanceof CannotCheck) return error
    throw error
  })
}
