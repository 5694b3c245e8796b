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
