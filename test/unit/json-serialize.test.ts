import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson, stringifyJson } from '../../src/lib/json.js'

const RUNS = { seed: 8259, numRuns: 500 }
const LONG = 12345678901234567890n

/** Serializes the value next to a bigint, so that `JSON.stringify` cannot be used. */
function serializeBesideBigint(value: unknown): string | undefined {
  return stringifyJson([LONG, value])?.slice(`[${LONG},`.length, -1)
}

describe('a value', () => {
  it('is serialized like JSON.stringify does, beside a bigint too', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(stringifyJson(value)).toBe(JSON.stringify(value))
        expect(serializeBesideBigint(value)).toBe(JSON.stringify(value))
      }),
      RUNS,
    )
  })

  it('is the same when it is parsed again, however long its integers are', () => {
    const integer = fc
      .bigInt({ min: -(2n ** 70n), max: 2n ** 70n })
      .filter((each) => each > 2n ** 53n || each < -(2n ** 53n))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, integer, fc.string(), tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    }))
    fc.assert(
      fc.property(value, (each) => {
        expect(parseJson(stringifyJson(each) ?? '')).toEqual(each)
      }),
      RUNS,
    )
  })

  it.each<[string, unknown]>([
    ['a date', new Date(0)],
    ['an object with toJSON', { toJSON: () => ({ a: [1] }) }],
    ['a member called toJSON that is not a function', { toJSON: 'text', a: 1 }],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
    ['a member without JSON', { a: undefined, b: () => 1, c: 1 }],
    ['a member whose toJSON returns undefined', { a: { toJSON: () => undefined }, b: 2 }],
    ['an item without JSON', [undefined, () => 1, Symbol('a'), 1]],
    ['a number that JSON does not have', [Number.NaN, Number.POSITIVE_INFINITY, -0]],
    ['a name that must be escaped', { 'a"\\\n\ud800': 1 }],
  ])('is serialized like JSON.stringify does: %s', (_, value) => {
    expect(stringifyJson(value)).toBe(JSON.stringify(value))
    expect(serializeBesideBigint(value)).toBe(JSON.stringify(value))
  })

  it('may have a toJSON that returns a bigint', () => {
    expect(stringifyJson({ id: { toJSON: () => LONG } })).toBe(`{"id":${LONG}}`)
  })

  it.each([undefined, () => 1, Symbol('a')])('may have no JSON: %o', (value) => {
    expect(stringifyJson(value)).toBeUndefined()
  })
})
