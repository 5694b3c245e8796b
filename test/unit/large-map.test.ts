import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LargeMap } from '../../src/lib/large-map.js'

const key = fc.oneof(
  fc.nat(300),
  fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  fc.string({ maxLength: 3 }),
  fc.constant(undefined),
)

describe('a large map', () => {
  it('has the entries of a Map', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.nat()), { maxLength: 500 }), fc.array(key), (entries, others) => {
        const map = new Map(entries)
        const large = new LargeMap<string | number | undefined, number>()
        for (const [key, value] of entries) large.set(key, value)
        expect(large.size).toBe(map.size)
        expect(new Map(large)).toEqual(map)
        for (const key of [...map.keys(), ...others]) {
          expect(large.get(key)).toBe(map.get(key))
          expect(large.has(key)).toBe(map.has(key))
        }
      }),
      { numRuns: 100 },
    )
  })
})
