import { describe, expect, it } from 'vitest'
import { findJsonError, type JsonError } from '../../src/lib/json-text.js'
import { runNow } from '../../src/lib/steps.js'

const find = (text: string): JsonError => runNow(findJsonError(text))

/** Of a text without line breaks. */
const indexOfError = (text: string): number => find(text).column - 1

describe('findJsonError', () => {
  it.each([
    ['', 0],
    ['{', 1],
    ['{"a"}', 4],
    ['{"a":}', 5],
    ['{"a":1 "b"', 7],
    ['[1,]', 3],
    ['[01]', 2],
    ['["a\nb"]', 1],
    ['["\\x"]', 1],
    ['[tru]', 1],
    ['[1] 2', 4],
    [']', 0],
    ['{"a":[1,{"b":null}],"c":-1.5e+3,}', 32],
  ])('finds the index in %j', (text, index) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    expect(indexOfError(text)).toBe(index)
  })

  it('handles long and deep texts', () => {
    const long = `["${'a\\n'.repeat(1_000_000)}",`
    expect(indexOfError(long)).toBe(long.length)
    expect(indexOfError(`["${'a'.repeat(1_000_000)}`)).toBe(1)
    expect(indexOfError('['.repeat(1_000_000))).toBe(1_000_000)
  })

  it('counts lines and columns', () => {
    const lines = Array.from({ length: 50 }, (_, index) => `  {"id": ${index}, "name": "${'é€😀'.repeat(index)}"},`)
    expect(find(`[\n${lines.join('\n')}\n \t]\n`)).toEqual({ line: 52, column: 3, found: ']\n', isFirst: false })
    expect(find(`${' \n'.repeat(300_000)} x`)).toEqual({ line: 300_001, column: 2, found: 'x', isFirst: true })
    expect(find(' \n'.repeat(300_000))).toEqual({ line: 300_001, column: 1, found: '', isFirst: true })
  })

  it('pauses while it searches a long text', () => {
    const text = `[${'1,'.repeat(100_000)}`
    expect([...findJsonError(text)].length).toBeGreaterThan(100)
  })
})
