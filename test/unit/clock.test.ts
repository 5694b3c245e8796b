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
  clock = createClock({ now: () => machine })
})

const shown = () => new Date(clock.now()).toISOString()

const refusalOf = (run: () => unknown) => thrownBy(MockError, run)

describe('a clock that nobody touched', () => {
  it('runs with the machine', () => {
    expect(clock.now()).toBe(START)
    machine += 1500
    expect(clock.now()).toBe(START + 1500)
  })
})

describe('setting the clock', () => {
  it('moves it there, and it runs on', () => {
    clock.set('2030-12-06T00:00:00Z')
    expect(shown()).toBe('2030-12-06T00:00:00.000Z')
    machine += 1500
    expect(shown()).toBe('2030-12-06T00:00:01.500Z')
  })

  it('takes a Date and any RFC 3339 date-time, in the past too', () => {
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
  ])('refuses %s and stays where it is', (time) => {
    const { code, message } = refusalOf(() => clock.set(time))
    expect(code).toBe('INVALID_OPTION')
    expect(message).toContain('clock.set')
    expect(clock.now()).toBe(START)
  })

  it.each([5, null, undefined, {}])('refuses a value that is no time at all: %s', (time) => {
    expect(refusalOf(() => clock.set(time as never)).code).toBe('INVALID_OPTION')
  })
})

describe('a frozen clock', () => {
  it('stands still until it is unfrozen, and then runs on from there', () => {
    clock.freeze()
    machine += DAY
    expect(clock.now()).toBe(START)
    clock.unfreeze()
    expect(clock.now()).toBe(START)
    machine += 1500
    expect(clock.now()).toBe(START + 1500)
  })

  it('can be set and advanced, and stands still there', () => {
    clock.freeze()
    clock.set('2030-12-05T00:00:00Z')
    clock.advance(DAY)
    machine += 1500
    expect(shown()).toBe('2030-12-06T00:00:00.000Z')
  })

  it('that is frozen again stands where it stood', () => {
    clock.freeze()
    machine += 1500
    clock.freeze()
    expect(clock.now()).toBe(START)
  })

  it('may be frozen at the beginning of time', () => {
    clock.set(new Date(0))
    clock.freeze()
    machine += 1500
    expect(clock.now()).toBe(0)
  })
})

describe('a running clock', () => {
  it('is not disturbed by being unfrozen', () => {
    clock.set('2030-12-06T00:00:00Z')
    clock.unfreeze()
    machine += 1500
    expect(shown()).toBe('2030-12-06T00:00:01.500Z')
  })
})

describe('advancing the clock', () => {
  it('adds up, backwards too', () => {
    clock.advance(DAY)
    clock.advance(DAY)
    machine += 5
    expect(clock.now()).toBe(START + 2 * DAY + 5)
    clock.advance(-3 * DAY)
    expect(clock.now()).toBe(START - DAY + 5)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, '5' as never, undefined as never, null as never])(
    'refuses %s and stays where it is',
    (milliseconds) => {
      const { code, message } = refusalOf(() => clock.advance(milliseconds))
      expect(code).toBe('INVALID_OPTION')
      expect(message).toContain('clock.advance')
      expect(clock.now()).toBe(START)
    },
  )

  it.each([1e15, -1e15, 1e300])('refuses %s, which leaves the years that an answer can spell', (milliseconds) => {
    const { code, message } = refusalOf(() => clock.advance(milliseconds))
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

  it.each(['P9000Y', '-P3000Y', `P${'9'.repeat(400)}Y`])('refuses to leave the years there are by %s', (duration) => {
    expect(refusalOf(() => clock.advance(duration)).code).toBe('INVALID_TIME')
    expect(clock.now()).toBe(START)
  })

  it.each(['', 'P', 'tomorrow', '1 day'])('refuses "%s", which is none', (duration) => {
    expect(refusalOf(() => clock.advance(duration)).code).toBe('INVALID_OPTION')
  })
})

describe('the state of the clock', () => {
  it('is what it shows, and whether it stands still', () => {
    expect(clock.state()).toEqual({ now: '2026-06-30T12:00:00.000Z', frozen: false })
    clock.freeze()
    clock.set('2030-12-06T01:00:00+01:00')
    machine += 1500
    expect(clock.state()).toEqual({ now: '2030-12-06T00:00:00.000Z', frozen: true })
  })
})

describe('resetting the clock', () => {
  it('brings back the time of the machine, running', () => {
    clock.set('2030-12-06T00:00:00Z')
    clock.freeze()
    machine += 1500
    clock.reset()
    expect(clock.now()).toBe(START + 1500)
    machine += 1500
    expect(clock.now()).toBe(START + 3000)
  })
})
