import { beforeEach, describe, expect, it } from 'vitest'
import { MockError } from '../../src/engine/contract/errors.js'
import { type Clock, createClock } from '../../src/engine/control/clock.js'
import { thrownBy } from '../support/thrown-by.js'

const START = Date.parse('2026-06-30T12:00:00.000Z')
const DAY = 86_400_000

let machine: number
let clock: Clock

beforeEach(() => {
  machine = START
  clock = createClock({ now: () => machine }).clock
})

const shown = () => new Date(clock.now()).toISOString()

const errorOf = (run: () => unknown) => thrownBy(MockError, run)

describe('a clock that was never changed', () => {
  it('is the system clock', () => {
    expect(clock.now()).toBe(START)
    machine += 1500
    expect(clock.now()).toBe(START + 1500)
  })
})

describe('setting the clock', () => {
  it('moves it to that time, and it keeps running', () => {
    clock.set('2030-12-06T00:00:00Z')
    expect(shown()).toBe('2030-12-06T00:00:00.000Z')
    machine += 1500
    expect(shown()).toBe('2030-12-06T00:00:01.500Z')
  })

  it('accepts a Date and any RFC 3339 date-time, even in the past', () => {
    clock.set(new Date('1999-12-31T23:59:59.999Z'))
    expect(shown()).toBe('1999-12-31T23:59:59.999Z')
    clock.set('2030-12-06t01:30:00.5+01:30')
    expect(shown()).toBe('2030-12-06T00:00:00.500Z')
    clock.set('0000-01-01T00:00:00Z')
    expect(shown()).toBe('0000-01-01T00:00:00.000Z')
  })

  it.each([
    '',
    'tomorrow',
    '2030-12-06',
    '2030-02-30T00:00:00Z',
    '1704067200',
    new Date(Number.NaN),
    new Date(8.64e15),
  ])('rejects %s and does not change', (time) => {
    const { code, message } = errorOf(() => clock.set(time))
    expect(code).toBe('INVALID_OPTION')
    expect(message).toContain('clock.set')
    expect(clock.now()).toBe(START)
  })

  it.each([5, null, undefined, {}])('rejects a value that is not a time: %s', (time) => {
    expect(errorOf(() => clock.set(time as never)).code).toBe('INVALID_OPTION')
  })
})

describe('a frozen clock', () => {
  it('does not move until it is unfrozen, and then continues from that time', () => {
    clock.freeze()
    machine += DAY
    expect(clock.now()).toBe(START)
    clock.unfreeze()
    expect(clock.now()).toBe(START)
    machine += 1500
    expect(clock.now()).toBe(START + 1500)
  })

  it('can be set and advanced, and stays frozen', () => {
    clock.freeze()
    clock.set('2030-12-05T00:00:00Z')
    clock.advance(DAY)
    machine += 1500
    expect(shown()).toBe('2030-12-06T00:00:00.000Z')
  })

  it('does not move when it is frozen again', () => {
    clock.freeze()
    machine += 1500
    clock.freeze()
    expect(clock.now()).toBe(START)
  })

  it('may be frozen at the epoch', () => {
    clock.set(new Date(0))
    clock.freeze()
    machine += 1500
    expect(clock.now()).toBe(0)
  })
})

describe('a running clock', () => {
  it('is not affected by unfreeze()', () => {
    clock.set('2030-12-06T00:00:00Z')
    clock.unfreeze()
    machine += 1500
    expect(shown()).toBe('2030-12-06T00:00:01.500Z')
  })
})

describe('advancing the clock', () => {
  it('accumulates, also backwards', () => {
    clock.advance(DAY)
    clock.advance(DAY)
    machine += 5
    expect(clock.now()).toBe(START + 2 * DAY + 5)
    clock.advance(-3 * DAY)
    expect(clock.now()).toBe(START - DAY + 5)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '5' as never, undefined as never, null as never])(
    'rejects %s and does not change',
    (milliseconds) => {
      const { code, message } = errorOf(() => clock.advance(milliseconds))
      expect(code).toBe('INVALID_OPTION')
      expect(message).toContain('clock.advance')
      expect(clock.now()).toBe(START)
    },
  )

  it.each([1e15, -1e15, 1e300])('rejects %s, which leaves the supported years', (milliseconds) => {
    const { code, message } = errorOf(() => clock.advance(milliseconds))
    expect(code).toBe('INVALID_TIME')
    expect(message).toContain('the years 0000 to 9999')
    expect(clock.now()).toBe(START)
  })
})

describe('advancing by a duration', () => {
  it.each([
    ['P1DT2H', '2026-07-01T14:00:00.000Z'],
    ['-PT0.5S', '2026-06-30T11:59:59.500Z'],
    ['P1M', '2026-07-30T12:00:00.000Z'],
    ['-P4M', '2026-02-28T12:00:00.000Z'],
  ])('of %s follows the calendar', (duration, expected) => {
    clock.advance(duration)
    expect(shown()).toBe(expected)
  })

  it.each(['P9000Y', '-P3000Y', `P${'9'.repeat(400)}Y`])('rejects %s, which leaves the supported years', (duration) => {
    expect(errorOf(() => clock.advance(duration)).code).toBe('INVALID_TIME')
    expect(clock.now()).toBe(START)
  })

  it.each(['', 'P', 'tomorrow', '1 day'])('rejects "%s", which is not a duration', (duration) => {
    expect(errorOf(() => clock.advance(duration)).code).toBe('INVALID_OPTION')
  })
})

describe('the state of the clock', () => {
  it('has the time and whether the clock is frozen', () => {
    expect(clock.state()).toEqual({ now: '2026-06-30T12:00:00.000Z', frozen: false })
    clock.freeze()
    clock.set('2030-12-06T01:00:00+01:00')
    machine += 1500
    expect(clock.state()).toEqual({ now: '2030-12-06T00:00:00.000Z', frozen: true })
  })
})

describe('resetting the clock', () => {
  it('returns to the running system clock', () => {
    clock.set('2030-12-06T00:00:00Z')
    clock.freeze()
    machine += 1500
    clock.reset()
    expect(clock.now()).toBe(START + 1500)
    machine += 1500
    expect(clock.now()).toBe(START + 3000)
  })
})
