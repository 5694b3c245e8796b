import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareIds, type Id, idAfter, isInt64, MAX_ID, parseId, toId, toJsonInt64 } from '../../src/lib/int64.js'

const RUNS = { seed: 64, numRuns: 1000 }
const MIN = -(2n ** 63n)
const MAX = 2n ** 63n - 1n

/** The whole range, biased towards its ends, zero and the ends of the safe integers. */
const int64 = fc.oneof(
  fc.bigInt({ min: MIN, max: MAX }),
  fc.bigInt({ min: -20n, max: 20n }),
  ...[MIN, -(2n ** 53n), 2n ** 53n, MAX].map((edge) =>
    fc.bigInt({ min: edge - 3n < MIN ? MIN : edge - 3n, max: edge + 3n > MAX ? MAX : edge + 3n }),
  ),
)

const outside = fc.oneof(
  fc.bigInt({ min: MAX + 1n, max: MAX + 10n }),
  fc.bigInt({ min: MIN - 10n, max: MIN - 1n }),
  fc.bigInt({ min: MAX + 1n, max: 10n ** 40n }),
  fc.bigInt({ min: -(10n ** 40n), max: MIN - 1n }),
)

const format = (value: bigint) => String(value) as Id

describe('parseId', () => {
  it('reads the decimal notation of every int64', () => {
    fc.assert(
      fc.property(int64, (value) => parseId(String(value)) === String(value)),
      RUNS,
    )
  })

  it('rejects every integer outside the range', () => {
    fc.assert(
      fc.property(outside, (value) => parseId(String(value)) === undefined),
      RUNS,
    )
  })

  it('rejects every text that is not the canonical notation of an integer', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[-+ 0-9.e_xn]{0,22}$/), (text) => {
        const canonical = /^-?[0-9]+$/.test(text) && String(BigInt(text)) === text
        const expected = canonical && BigInt(text) >= MIN && BigInt(text) <= MAX
        return (parseId(text) !== undefined) === expected
      }),
      RUNS,
    )
  })

  it.each([
    '',
    '-',
    '-0',
    '+1',
    '01',
    '-01',
    '00',
    ' 1',
    '1 ',
    '1\n',
    '\n1',
    '1.0',
    '1e0',
    '0x10',
    '1n',
    '1_000',
    '--1',
    '٣',
    '１',
    'NaN',
    'Infinity',
    'null',
    '__proto__',
    '1'.repeat(100),
  ])('rejects %j', (text) => {
    expect(parseId(text)).toBeUndefined()
  })
})

describe('isInt64', () => {
  it('accepts every bigint in the range and none outside it', () => {
    fc.assert(
      fc.property(int64, (value) => isInt64(value)),
      RUNS,
    )
    fc.assert(
      fc.property(outside, (value) => !isInt64(value)),
      RUNS,
    )
  })

  it('accepts a number only if it is a safe integer', () => {
    fc.assert(
      fc.property(fc.double(), (value) => isInt64(value) === Number.isSafeInteger(value)),
      RUNS,
    )
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => isInt64(value)),
      RUNS,
    )
  })

  it.each([2 ** 53, -(2 ** 53), 0.5, Number.NaN, Number.POSITIVE_INFINITY, '1', null, undefined, true, [], {}])(
    'rejects %j',
    (value) => {
      expect(isInt64(value)).toBe(false)
    },
  )
})

describe('toId and toJsonInt64', () => {
  it('convert every int64 and back', () => {
    fc.assert(
      fc.property(int64, (value) => {
        const json = toJsonInt64(format(value))
        expect(BigInt(json)).toBe(value)
        expect(isInt64(json)).toBe(true)
        expect(toId(json)).toBe(String(value))
      }),
      RUNS,
    )
  })

  it('return a number for a safe integer and a bigint otherwise', () => {
    fc.assert(
      fc.property(int64, (value) => {
        expect(typeof toJsonInt64(format(value))).toBe(Number.isSafeInteger(Number(value)) ? 'number' : 'bigint')
      }),
      RUNS,
    )
  })

  it('give the same id for a number and a bigint of the same value', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => toId(value) === toId(BigInt(value))),
      RUNS,
    )
  })

  it('treat -0 as 0', () => {
    expect(toId(-0)).toBe('0')
  })
})

describe('compareIds', () => {
  it('orders as the integers are ordered', () => {
    fc.assert(
      fc.property(int64, int64, (a, b) => {
        expect(Math.sign(compareIds(format(a), format(b)))).toBe(a < b ? -1 : a > b ? 1 : 0)
      }),
      RUNS,
    )
  })

  it('returns 0 for equal ids', () => {
    fc.assert(
      fc.property(int64, (value) => compareIds(format(value), format(value)) === 0),
      RUNS,
    )
  })
})

describe('idAfter', () => {
  it('returns the next integer', () => {
    fc.assert(
      fc.property(
        int64.filter((value) => value < MAX),
        (value) => idAfter(format(value)) === String(value + 1n),
      ),
      RUNS,
    )
  })

  it('returns undefined after the last one', () => {
    expect(MAX_ID).toBe(String(MAX))
    expect(idAfter(MAX_ID)).toBeUndefined()
  })
})
