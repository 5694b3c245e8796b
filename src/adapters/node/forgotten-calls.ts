import fs from 'node:fs'
import { MockError } from '../../engine/contract/errors.js'
import { type CallSite, locationOf } from './call-sites.js'
import { atEndOfJestFile } from './jest-run.js'

const STDERR = 2

/** A call that is missing. */
export interface ForgottenCall {
  readonly code: 'NOT_LISTENING' | 'NOT_CLOSED'
  /** What is wrong, in sentences that end before the place. Undefined if nothing is. */
  describe(): string | undefined
  /** The place. */
  readonly callSite: CallSite
  /** Stops what the mock has started. */
  stop?(): void
}

/** The mocks of which a call is missing. */
const pending = new Map<object, ForgottenCall>()

/**
 * Prints a message when the process ends, unless `forget` is called before. In Jest, whose test files share a process, the
 * end of the file stops the mock and fails the file. Replaces an earlier message of the mock.
 */
export function remindAtEnd(mock: object, call: ForgottenCall): void {
  watchJest()
  // Only while there is something to say: in Jest, the listener keeps everything that a test file has loaded in memory.
  if (pending.size === 0) process.on('exit', printAll)
  pending.set(mock, call)
}

export function forget(mock: object): void {
  if (pending.delete(mock) && pending.size === 0) process.off('exit', printAll)
}

function toMessage({ describe, callSite }: ForgottenCall): string | undefined {
  const text = describe()
  const location = locationOf(callSite)
  return text && `${text}${location === undefined ? '' : ` at ${location}`}.`
}

/** Not called if a signal ends the process. After a failure, there is something more important to read. */
function printAll(exitCode: number): void {
  if (exitCode !== 0) return
  for (const call of pending.values()) {
    const message = toMessage(call)
    // Not with `console`, which test runners replace and no longer print at this time.
    if (message !== undefined) fs.writeSync(STDERR, `petstore-mock: ${message}\n`)
  }
}

let isWatchingJest = false

function watchJest(): void {
  if (isWatchingJest) return
  isWatchingJest = true
  atEndOfJestFile((hasFailed) =>
    [...pending].flatMap(([mock, call]) => {
      // A mock that is never used may be in a module that many test files share. It explains a failure, but is none.
      if (call.stop === undefined && !hasFailed) return []
      call.stop?.()
      forget(mock)
      return toError(call) ?? []
    }),
  )
}

/** Its stack is the place, which Jest shows with its code. */
function toError(call: ForgottenCall): MockError | undefined {
  const message = toMessage(call)
  if (message === undefined) return undefined
  const error = new MockError(call.code, message)
  const frames = call.callSite.stack?.replace(/^.*\n/, '')
  if (frames !== undefined) error.stack = `${error}\n${frames}`
  return error
}
