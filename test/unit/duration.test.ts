import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDuration, parseDuration } from '../../src/lib/time.js'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

function add(start: string, duration: string): string {
  const parsed = parseDuration(duration)
  if (parsed === undefined) throw new Error(`${duration} is not a duration`)
  return new Date(addDuration(Date.parse(start), parsed)).toISOString()
}

describe('a duration', () => {
  it.each([
    ['PT0S', 0, 0],
    ['P2Y3M', 27, 0],
    ['PT1M', 0, MINUTE],
    ['P1Y2M3W4DT5H6M7S', 14, 25 * DAY + 5 * HOUR + 6 * MINUTE + 7 * SECOND],
    ['-P1MT1H', -1, -HOUR],
    ['PT0.5S', 0, 500],
    ['PT0,5S', 0, 500],
    ['PT0.1H', 0, 6 * MINUTE],
    ['P1DT0.5H', 0, DAY + 30 * MINUTE],
    ['P0.5Y', 6, 0],
  ])('%s is %d months and %d ms', (text, months, milliseconds) => {
    expect(parseDuration(text)).toEqual({ months, milliseconds })
  })
})

describe('text that is not a duration', () => {
  it.each(['P', 'P1DT', 'P1', 'P-1D', '−P1D', 'P1D2M', 'P1.5DT1H', 'P1D\n', 'P0001-01-01T00:00:00', 'tomorrow'])(
    'is rejected: %j',
    (text) => {
      expect(parseDuration(text)).toBeUndefined()
    },
  )

  it('is rejected quickly, even if it is very long', () => {
    expect(parseDuration(`P${'1'.repeat(1_000_000)}`)).toBeUndefined()
  })
})

describe('adding a duration', () => {
  it.each([
    ['2026-01-31T10:00:00.000Z', 'P1M', '2026-02-28T10:00:00.000Z'],
    ['2024-01-31T10:00:00.000Z', 'P1M', '2024-02-29T10:00:00.000Z'],
    ['2024-02-29T00:00:00.000Z', 'P1Y', '2025-02-28T00:00:00.000Z'],
    ['2026-03-31T00:00:00.000Z', '-P1M', '2026-02-28T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', 'PT0.001S', '2027-01-01T00:00:00.000Z'],
    // Months are added first, then days.
    ['2026-01-31T00:00:00.000Z', 'P1M1D', '2026-03-01T00:00:00.000Z'],
    // Half of a January, half of a February; backwards, half of a December.
    ['2026-01-01T00:00:00.000Z', 'P0.5M', '2026-01-16T12:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', '-P0.5M', '2025-12-16T12:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', 'P0.5Y', '2026-07-01T00:00:00.000Z'],
    ['0050-01-31T00:00:00.000Z', 'P1M', '0050-02-28T00:00:00.000Z'],
  ])('%s plus %s is %s', (start, duration, expected) => {
    expect(add(start, duration)).toBe(expected)
  })

  it('results in the requested month, whatever the day', () => {
    const instant = fc.integer({ min: Date.parse('0000-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59Z') })
    fc.assert(
      fc.property(instant, fc.integer({ min: -1200, max: 1200 }), (time, months) => {
        const from = new Date(time)
        const to = new Date(addDuration(time, { months, milliseconds: 0 }))
        const index = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth()
        expect(index(to) - index(from)).toBe(months)
        expect(to.getUTCDate()).toBeLessThanOrEqual(from.getUTCDate())
        expect(to.toISOString().split('T')[1]).toBe(from.toISOString().split('T')[1])
      }),
      { seed: 8601, numRuns: 1000 },
    )
  })

  it.each([`P${'9'.repeat(400)}Y`, `-P${'9'.repeat(400)}D`, 'P999999999999Y', 'P999999999999Y999999999999D'])(
    'results in an invalid date if it is too large: %.30s',
    (text) => {
      const duration = parseDuration(text)
      expect(duration).toBeDefined()
      expect(new Date(addDuration(0, duration ?? { months: 0, milliseconds: 0 })).getTime()).toBeNaN()
    },
  )
})
