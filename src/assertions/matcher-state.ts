import { stringifyJson } from '../lib/json.js'
import { isKind } from '../lib/kind.js'
import { isPlainObject } from '../lib/plain-object.js'
import type { Equals } from './received.js'

/** What a matcher uses of `this`: the same in vitest and Jest. Bun has no equality of subsets and no diff. */
export interface MatcherState {
  readonly isNot?: boolean
  readonly customTesters?: readonly unknown[]
  equals(actual: unknown, expected: unknown, testers?: never[]): boolean
  readonly utils: {
    readonly iterableEquality?: unknown
    readonly subsetEquality?: unknown
    /** The third parameter has other types in vitest and in Jest. */
    stringify(value: unknown, maxDepth?: number, options?: never): string
    diff?(expected: unknown, actual: unknown): string | null | undefined
  }
}

const toText = (value: unknown) => stringifyJson(value) ?? String(value)

/** A state that needs no test runner. `equalValues` compares what is neither a list nor a plain object. */
export function createState(equalValues: Equals = Object.is): MatcherState {
  /** Whether a value has all that is expected of it. Asymmetric matchers, such as `expect.any(Number)`, may be expected. */
  function matches(actual: unknown, expected: unknown): boolean {
    if (isAsymmetric(expected)) return expected.asymmetricMatch(actual)
    if (isKind(expected, 'RegExp')) return typeof actual === 'string' && expected.test(actual)
    if (Array.isArray(expected)) {
      const isSameLength = Array.isArray(actual) && actual.length === expected.length
      return isSameLength && expected.every((item, index) => matches(actual[index], item))
    }
    if (isPlainObject(expected)) {
      return isPlainObject(actual) && Object.entries(expected).every(([name, value]) => matches(actual[name], value))
    }
    const isInteger = typeof expected === 'bigint' || Number.isInteger(expected)
    if (isInteger && typeof actual === 'bigint') return actual === BigInt(expected as bigint)
    if (typeof expected === 'bigint' && Number.isInteger(actual)) return BigInt(actual as number) === expected
    return equalValues(actual, expected)
  }

  return {
    equals: matches,
    utils: {
      stringify: toText,
      diff: (expected, actual) => `- Expected: ${toText(expected)}\n+ Received: ${toText(actual)}`,
    },
  }
}

function isAsymmetric(value: unknown): value is { asymmetricMatch(actual: unknown): boolean } {
  return typeof (value as { asymmetricMatch?: unknown } | null | undefined)?.asymmetricMatch === 'function'
}
