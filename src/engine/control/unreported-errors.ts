import { MockError } from '../../http/errors.js'
import { machineDate } from '../../lib/clock.js'
import { currentTest } from '../../lib/environment.js'
import { describeValue, isError } from '../../lib/functions.js'

export interface UnreportedErrors {
  /**
   * Adds an error that has just occurred. Returns a function that removes it, unless it has been reported by then. An error that
   * is shared is reported by one of the mocks that it was added to.
   */
  add(error: unknown, shared?: Reported): () => void
  /** Adds an error that is known only at the end of a test. */
  addLate(error: unknown): void
  addEntry(entry: Entry): void
  /**
   * Returns the errors that were added since the last call, and drops them. The message of an error of the mock says when
   * and how often it occurred.
   */
  takeAll(): unknown[]
}

/** The same mistake is often made many times; the first few errors say enough. */
const MAX_SHOWN = 10

/** The root has the errors of all its sandboxes. */
const MAX_STORED = 1000

/** What the entries for one error have in common. */
export interface Reported {
  isReported: boolean
}

interface Entry extends Reported {
  readonly error: unknown
  /** When the first of them occurred, and in which test, if that is known. */
  readonly occurred?: { readonly at: number; readonly test: string | undefined }
  /** More than 1 if an error of the mock has been repeated. 0 if it has been removed. */
  count: number
  readonly shared?: Reported | undefined
}

const isPending = ({ isReported, shared }: Entry) => !isReported && shared?.isReported !== true

/**
 * Errors that the code under test may have swallowed. Those of a sandbox are its parent's as well, until one of the two has
 * thrown them.
 */
export function createUnreportedErrors(parent?: UnreportedErrors): UnreportedErrors {
  let pending: Entry[] = []

  function addEntry(entry: Entry): void {
    if (pending.length >= MAX_STORED) pending = pending.filter(isPending).slice(-MAX_STORED + 1)
    pending.push(entry)
    parent?.addEntry(entry)
  }

  function addOrCount(error: unknown, occurred?: Entry['occurred'], shared?: Reported): Entry {
    const same = pending.find((entry) => isPending(entry) && isSame(entry.error, error))
    if (same !== undefined) {
      same.count += 1
      return same
    }
    const entry = { error, ...(occurred && { occurred }), shared, count: 1, isReported: false }
    addEntry(entry)
    return entry
  }

  return {
    add(error, shared) {
      const entry = addOrCount(error, { at: machineDate.now(), test: currentTest() }, shared)
      return () => {
        entry.count -= 1
        entry.isReported ||= entry.count === 0
      }
    },
    addLate: (error) => void addOrCount(error),
    addEntry,
    takeAll() {
      const entries = pending.filter(isPending)
      for (const entry of entries) {
        entry.isReported = true
        if (entry.shared) entry.shared.isReported = true
      }
      pending = []
      return entries.map(withOccurrence)
    },
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return (
    one instanceof MockError && other instanceof MockError && one.code === other.code && one.message === other.message
  )
}

/** Only for an error of the mock: one of the user stays as it is. A copy, because another mock may have the same error. */
function withOccurrence(entry: Entry): unknown {
  const { error } = entry
  if (!(error instanceof MockError)) return error
  const message = error.message + describeOccurrence(entry)
  const stack = error.stack?.replace(error.message, () => message)
  return Object.assign(new MockError(error.code, message), error, { stack })
}

/** Says which test an error belongs to, because it may be thrown in a later one. */
function describeOccurrence({ occurred, count }: Entry): string {
  const parts = [
    ...(count > 1 ? [`${count} times`] : []),
    ...(occurred ? [`${count > 1 ? 'first ' : ''}at ${new Date(occurred.at).toISOString().slice(11, -1)} UTC`] : []),
    ...(occurred?.test === undefined ? [] : [`in the test "${occurred.test}"`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** What `throwErrors` throws for several. */
export class SeveralErrors extends AggregateError {
  constructor(
    errors: readonly unknown[],
    message: string,
    /** How many there are besides those in `errors`. */
    readonly left: number,
  ) {
    super(errors, message)
  }
}

/** Throws an error, or several as one. Does nothing if there is none. */
export function throwErrors(errors: readonly unknown[]): void {
  if (errors.length === 0) return
  if (errors.length === 1) throw errors[0]
  const shown = errors.slice(0, MAX_SHOWN)
  const lines = shown.map(messageOf)
  const left = errors.length - shown.length
  if (left > 0) lines.push(`and ${left} more`)
  throw new SeveralErrors(shown, lines.map((line) => `\n- ${line}`).join(''), left)
}

export function messageOf(error: unknown): string {
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
