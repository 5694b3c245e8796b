import fs from 'node:fs'
import { messageOf, throwErrors } from '../../engine/control/unreported-errors.js'
import { MockError } from '../../http/errors.js'
import { type CallSite, locationOf } from './call-sites.js'

/* How the run of a test file in Jest ends, and what its tests have failed with. Jest has no public functions for that. */

/** What jest-circus, Jest's test runner, knows of a test file. */
interface RunState {
  /** Those that belong to no test. They fail the file. */
  readonly unhandledErrors: unknown[]
  readonly rootDescribeBlock: DescribeBlock
  readonly currentlyRunningTest?: Test | null
}

interface DescribeBlock {
  readonly children: readonly (DescribeBlock | Test)[]
}

interface Test {
  /** Each with a second error, which has the place of the test. */
  readonly errors: readonly (readonly [error: unknown, place: unknown])[]
}

type EventHandler = (event: { readonly name: string }) => void

const globals = globalThis as typeof globalThis & Record<symbol, unknown>

function findState(): RunState | undefined {
  const symbol = Object.getOwnPropertySymbols(globals).find(({ description }) => description === 'JEST_STATE_SYMBOL')
  return symbol && (globals[symbol] as RunState)
}

/** Calls a function after all tests and hooks of the test file. What it returns fails the file. Only in Jest. */
export function atEndOfJestFile(findErrors: (hasFailed: boolean) => readonly Error[]): void {
  const state = findState()
  if (state === undefined) return
  const { unhandledErrors } = state
  const end = () => void unhandledErrors.push(...findErrors(hasFailed(state.rootDescribeBlock)))
  const handlers = globals[Symbol.for('EVENT_HANDLERS')] as EventHandler[] | undefined
  if (handlers !== undefined) return void handlers.push(({ name }) => name === 'run_finish' && end())
  // Jest 29 has no list of handlers. It calls this function once, at the end.
  unhandledErrors.map = function map(...args) {
    end()
    return Array.prototype.map.apply(this, args as never) as never
  }
}

function hasFailed(child: DescribeBlock | Test): boolean {
  return 'children' in child ? child.children.some(hasFailed) : child.errors.length > 0
}

/** What the running test has already failed with. Empty outside of Jest. */
export function errorsOfJestTest(): unknown[] {
  return (findState()?.currentlyRunningTest?.errors ?? []).flat()
}

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
