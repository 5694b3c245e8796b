import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDateTime } from '../../src/lib/time.js'

const RUNS = { seed: 3339, numRuns: 2000 }
const MINUTE = 60_000
const FIRST = Date.parse('0000-01-01T00:00:00.000Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/** Times in the years of four digits, biased towards the first and last days. */
const instant = fc.oneof(
  fc.integer({ min: FIRST, max: LAST }),
  fc.integer({ min: FIRST, max: FIRST + 1500 * MINUTE }),
  fc.integer({ min: LAST - 1500 * MINUTE, max: LAST }),
  fc.integer({ min: FIRST, max: Date.parse('0101-01-01T00:00:00Z') }),
)

const offset = fc.integer({ min: -1439, max: 1439 })

/** An instant formatted with this offset and these fraction digits. */
function format(time: number, minutes: number, fraction: string, zone: string, separator: string): string {
  const local = new Date(time + minutes * MINUTE).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length)
  return local.replace('T', separator) + (fraction && `.${fraction}`) + zone
}

function formatOffset(minutes: number): string {
  const size = Math.abs(minutes)
  const [hours, rest] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'))
  return `${minutes < 0 ? '-' : '+'}${hours}:${rest}`
}

describe('any time in the years 0000 to 9999', () => {
  it('is the same instant in UTC, with any offset and in upper or lower case', () => {
    fc.assert(
      fc.property(instant, offset, fc.constantFrom('T', 't'), (time, minutes, separator) => {
        const local = time + minutes * MINUTE
        fc.pre(local >= FIRST && local <= LAST)
        const milliseconds = new Date(time).toISOString().slice(20, 23)
        const text = format(time, minutes, milliseconds, formatOffset(minutes), separator)
        expect(parseDateTime(text)).toBe(new Date(time).toISOString())
      }),
      RUNS,
    )
  })

  it('may have any precision, of which milliseconds are kept', () => {
    fc.assert(
      fc.property(
        instant,
        fc.stringMatching(/^[0-9]{0,12}$/),
        fc.constantFrom('Z', 'z', '-00:00'),
        (time, digits, zone) => {
          const second = Math.floor(time / 1000) * 1000
          const kept = Number(digits.slice(0, 3).padEnd(3, '0'))
          expect(parseDateTime(format(second, 0, digits, zone, 'T'))).toBe(new Date(second + kept).toISOString())
        },
      ),
      RUNS,
    )
  })

  it('does not change when it is parsed again', () => {
    fc.assert(
      fc.property(instant, (time) => {
        const canonical = new Date(time).toISOString()
        expect(parseDateTime(canonical)).toBe(canonical)
      }),
      RUNS,
    )
  })
})

describe('a valid date-time', () => {
  it.each([
    ['2026-03-31T09:30:00Z', '2026-03-31T09:30:00.000Z'],
    ['2026-03-31t09:30:00z', '2026-03-31T09:30:00.000Z'],
    ['2026-03-31T09:30:00-00:00', '2026-03-31T09:30:00.000Z'],
    ['2026-03-31T09:30:00+02:00', '2026-03-31T07:30:00.000Z'],
    ['2026-03-31T09:30:00-05:30', '2026-03-31T15:00:00.000Z'],
    ['2024-01-01T00:00:00.123456789Z', '2024-01-01T00:00:00.123Z'],
    ['2024-01-01T00:00:00.1Z', '2024-01-01T00:00:00.100Z'],
    ['2024-12-31T23:59:59.9999Z', '2024-12-31T23:59:59.999Z'],
    ['2024-02-29T23:30:00-01:00', '2024-03-01T00:30:00.000Z'],
    ['2024-03-01T00:30:00+01:00', '2024-02-29T23:30:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
    ['2024-06-15T12:00:00+23:59', '2024-06-14T12:01:00.000Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['0000-02-29T00:00:00Z', '0000-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0070-06-15T12:00:00Z', '0070-06-15T12:00:00.000Z'],
    ['0096-02-29T12:00:00Z', '0096-02-29T12:00:00.000Z'],
    ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59.000Z'],
    ['0099-12-31T23:59:59-00:01', '0100-01-01T00:00:59.000Z'],
    ['0000-01-01T00:00:00-23:59', '0000-01-01T23:59:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59+23:59', '9999-12-31T00:00:59.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(parseDateTime(text)).toBe(expected)
  })
})

describe('an impossible date-time', () => {
  it.each([
    ['a February with 30 days', '2024-02-30T00:00:00Z'],
    ['a 29 February of a common year', '2023-02-29T00:00:00Z'],
    ['a 29 February of a century', '1900-02-29T00:00:00Z'],
    ['a 29 February of the year 1', '0001-02-29T00:00:00Z'],
    ['a 31 April', '2024-04-31T00:00:00Z'],
    ['a day 0', '2024-01-00T00:00:00Z'],
    ['a day 32', '2024-01-32T00:00:00Z'],
    ['a month 0', '2024-00-01T00:00:00Z'],
    ['a month 13', '2024-13-01T00:00:00Z'],
    ['an hour 24', '2024-01-01T24:00:00Z'],
    ['a minute 60', '2024-01-01T00:60:00Z'],
    ['a second 60', '2024-06-15T23:59:60Z'],
    ['a leap second that happened', '2016-12-31T23:59:60Z'],
    ['an offset of 24 hours', '2024-01-01T00:00:00+24:00'],
    ['an offset of 60 minutes', '2024-01-01T00:00:00+00:60'],
    ['an offset that leads before the year 0', '0000-01-01T00:00:00+00:01'],
    ['an offset that leads past the year 9999', '9999-12-31T23:59:00-00:01'],
  ])('is rejected: %s', (_, text) => {
    expect(parseDateTime(text)).toBeUndefined()
  })

  it('is rejected for every day that does not exist', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9999 }), fc.nat(99), fc.nat(99), (year, month, day) => {
        const [y, m, d] = [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')]
        const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
        const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        const exists = day >= 1 && day <= (days[month - 1] ?? 0)
        expect(parseDateTime(`${y}-${m}-${d}T00:00:00Z`) !== undefined).toBe(exists)
      }),
      RUNS,
    )
  })
})

describe('text that is not an RFC 3339 date-time', () => {
  it.each([
    '',
    '2024-01-01',
    '2024-01-01T00:00:00',
    '2024-01-01 00:00:00Z',
    '2024-01-01T00:00Z',
    '2024-01-01T00:00:00.Z',
    '2024-01-01T00:00:00,5Z',
    '2024-01-01T00:00:00+0100',
    '2024-01-01T00:00:00+01',
    '2024-01-01T00:00:00 +01:00',
    '2024-1-1T00:00:00Z',
    '24-01-01T00:00:00Z',
    '+02024-01-01T00:00:00Z',
    '-0001-01-01T00:00:00Z',
    '12024-01-01T00:00:00Z',
    ' 2024-01-01T00:00:00Z',
    '2024-01-01T00:00:00Z ',
    '2024-01-01T00:00:00Z\n',
    '２０２４-01-01T00:00:00Z',
    '2024-001T00:00:00Z',
    '1704067200',
    'now',
  ])('is rejected: %j', (text) => {
    expect(parseDateTime(text)).toBeUndefined()
  })
})
