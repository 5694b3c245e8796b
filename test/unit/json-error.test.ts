import { describe, expect, it } from 'vitest'
import { findJsonError } from '../../src/lib/json-error.js'

describe('findJsonError', () => {
  it.each([
    ['', 0],
    ['{', 1],
    ['{"a"}', 4],
    ['{"a":}', 5],
    ['{"a":1 "b"', 7],
    ['{1:2}', 1],
    ['[1,]', 3],
    ['[1}', 2],
    ['{"a":1]', 6],
    ['[01]', 2],
    ['[1.]', 2],
    ['["a\nb"]', 1],
    ['["\\x"]', 1],
    ['[tru]', 1],
    ['[1] 2', 4],
    ['1,2', 1],
    [']', 0],
    ['{"a":[1,{"b":null}],"c":-1.5e+3,}', 32],
  ])('finds the index in %j', (text, index) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(findJsonError(text)).toBe(index)
  })

  it('handles long and deep texts', () => {
    const long = `["${'a\\n'.repeat(1_000_000)}",`
    expect(findJsonError(long)).toBe(long.length)
    expect(findJsonError(`["${'a'.repeat(1_000_000)}`)).toBe(1)
    expect(findJsonError('['.repeat(1_000_000))).toBe(1_000_000)
  })
})
