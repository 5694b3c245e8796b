import { expect, it } from 'vitest'
import { isEqualJson } from '../../src/lib/values.js'

it.each<[unknown, unknown, boolean]>([
  [1, 1, true],
  [1, '1', false],
  [1n, 1n, true],
  [null, undefined, false],
  [null, {}, false],
  [{}, null, false],
  [{}, [], false],
  [[], {}, false],
  [[1, { a: [2] }], [1, { a: [2] }], true],
  [[1, 2], [1], false],
  [[1], [1, 2], false],
  [{ a: 1, b: { c: null } }, { b: { c: null }, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: 2 }, { a: 1 }, false],
  [{ a: undefined }, {}, true],
  [{ a: null }, {}, false],
  [{ constructor: 1 }, {}, false],
])('compares %o and %o: %s', (one, other, expected) => {
  expect(isEqualJson(one, other)).toBe(expected)
})
