import { beforeEach, expect, it } from 'vitest'
import { type Clock, createClock } from '../../src/engine/control/clock.js'
import { MockError } from '../../src/http/errors.js'
import { thrownBy } from '../support/thrown-by.js'

// What needs a machine clock that tests can move. The rest: test/behaviour/admin-clock.test.ts.

const START = Date.parse('2026-06-30T12:00:00.000Z')
const DAY = 86_400_000

let machine: number
let clock: Clock

beforeEach(() => {
  machine = START
  clock = createClock({ now: () => machine }, 'announce').clock
})

const errorOf = (run: () => unknown) => thrownBy(MockError, run)

it('continues from the time at which it was frozen, however often it was frozen', () => {
  clock.freeze()
  machine += DAY
  clock.freeze()
  expect(clock.now()).toBe(START)
  clock.unfreeze()
  clock.unfreeze()
  expect(clock.now()).toBe(START)
  machine += 1500
  expect(clock.now()).toBe(START + 1500)
})

it('accumulates what it is advanced by, also backwards', () => {
  clock.advance(DAY)
  clock.advance(DAY)
  machine += 5
  expect(clock.now()).toBe(START + 2 * DAY + 5)
  clock.advance(-3 * DAY)
  expect(clock.now()).toBe(START - DAY + 5)
})

it.each([new Date(Number.NaN), new Date(8.64e15), '2030-12-06', 5, null, undefined, {}])(
  'cannot be set to %s, and does not change',
  (time) => {
    const { code, message } = errorOf(() => clock.set(time as never))
    expect(code).toBe('INVALID_OPTION')
    expect(message).toContain('clock.set')
    expect(clock.now()).toBe(START)
  },
)

it.each([Number.NaN, Number.POSITIVE_INFINITY, '5', '', undefined, null])(
  'cannot be advanced by %s, and does not change',
  (by) => {
    const { code, message } = errorOf(() => clock.advance(by as never))
    expect(code).toBe('INVALID_OPTION')
    expect(message).toContain('clock.advance')
    expect(clock.now()).toBe(START)
  },
)
