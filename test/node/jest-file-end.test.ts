import { describe, expect, it, onTestFinished } from 'vitest'
import { atEndOfJestFile, errorsOfJestTest } from '../../src/adapters/node/runner.js'

const globals = globalThis as typeof globalThis & Record<symbol, unknown>

/** Sets a global until the test ends. */
function setGlobal(symbol: symbol, value: unknown): void {
  globals[symbol] = value
  onTestFinished(() => void Reflect.deleteProperty(globals, symbol))
}

/** A test file with two tests, as jest-circus describes it. */
function enterJest({ failure }: { failure?: Error } = {}) {
  const passed = { errors: [] }
  const last = { errors: failure === undefined ? [] : [[failure, new Error('the place of the test')]] }
  const unhandledErrors: unknown[] = []
  const state = { unhandledErrors, rootDescribeBlock: { children: [passed, { children: [last] }] } }
  setGlobal(Symbol('JEST_STATE_SYMBOL'), { ...state, currentlyRunningTest: last })
  return unhandledErrors
}

describe('the end of a test file in Jest 30', () => {
  it('comes after all other events, and fails the file with the errors that were found', () => {
    const handlers: ((event: { name: string }) => void)[] = []
    setGlobal(Symbol.for('EVENT_HANDLERS'), handlers)
    const unhandledErrors = enterJest()
    const error = new Error('not closed')
    atEndOfJestFile(() => [error])
    for (const name of ['test_done', 'hook_success']) for (const handle of handlers) handle({ name })
    expect(unhandledErrors).toEqual([])
    for (const handle of handlers) handle({ name: 'run_finish' })
    expect(unhandledErrors).toEqual([error])
  })
})

describe('the end of a test file in Jest 29', () => {
  it.each([
    ['no test has', undefined, false],
    ['a test in a block has', new Error('failed'), true],
  ])('comes when Jest reads the errors of the file, and says whether a test has failed: %s', (_, failure, expected) => {
    const unhandledErrors = enterJest(failure && { failure })
    atEndOfJestFile((hasFailed) => [new Error(String(hasFailed))])
    expect(unhandledErrors.map(String)).toEqual([`Error: ${expected}`])
  })
})

it('knows what the running test has failed with, and nothing outside of Jest', () => {
  expect(errorsOfJestTest()).toEqual([])
  const failure = new Error('blocked')
  enterJest({ failure })
  expect(errorsOfJestTest()).toContain(failure)
})

it('does nothing outside of Jest', () => {
  atEndOfJestFile(() => expect.fail('It was called.'))
})
