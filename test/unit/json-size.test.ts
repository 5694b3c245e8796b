import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findExcess } from '../../src/lib/json-in-steps.js'

const ANY = Number.POSITIVE_INFINITY

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, member) => sum + 1 + countOf(member), 0)
}

describe('JSON', () => {
  it('has the depth and the number of values of the parsed value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const limits = { maxJsonDepth: depthOf(value), maxJsonValues: countOf(value) }
        expect(findExcess(text, limits)).toBeUndefined()
        const less = { maxJsonDepth: limits.maxJsonDepth - 1, maxJsonValues: limits.maxJsonValues - 1 }
        if (less.maxJsonDepth >= 0)
          expect(findExcess(text, { ...limits, maxJsonDepth: less.maxJsonDepth })).toMatch('deeper')
        if (less.maxJsonValues >= 0)
          expect(findExcess(text, { ...limits, maxJsonValues: less.maxJsonValues })).toMatch('values')
      }),
    )
  })

  it.each([
    ['brackets and commas in a string', '{"a":"[[[{{{,,,,"}'],
    ['a quote in a string', '{"a":"\\",[,[,"}'],
    ['a backslash at the end of a string', '{"a\\\\":"[,\\\\"}'],
    ['a string that is never closed', '{"a":"[[[,,,'],
  ])('is measured correctly with %s', (_, text) => {
    expect(findExcess(text, { maxJsonDepth: 1, maxJsonValues: 1 })).toBeUndefined()
  })

  it('may be empty on every level', () => {
    expect(findExcess('[{},[ ],{ \n}]', { maxJsonDepth: 2, maxJsonValues: 3 })).toBeUndefined()
    expect(findExcess('[{\t},[\r\n]]', { maxJsonDepth: 2, maxJsonValues: 2 })).toBeUndefined()
  })

  it('may be incomplete', () => {
    expect(findExcess('[[', { maxJsonDepth: 2, maxJsonValues: 1 })).toBeUndefined()
  })

  it('is rejected with a message that names the limit', () => {
    expect(findExcess('[[1]]', { maxJsonDepth: 1, maxJsonValues: ANY })).toBe('is nested deeper than 1 levels')
    expect(findExcess('[1,2]', { maxJsonDepth: ANY, maxJsonValues: 1 })).toBe('has more than 1 values')
  })
})
