import { stringifyJson } from '../../lib/json.js'
import { isKind, isPlainObject } from '../../lib/values.js'

export type Equals = (actual: unknown, expected: unknown) => boolean

/** What a matcher uses of `this`: the same in vitest and Jest. Bun has no diff. */
export interface MatcherState {
  readonly isNot?: boolean
  readonly customTesters?: readonly unknown[]
  equals(actual: unknown, expected: unknown, testers?: never[]): boolean
  readonly utils: {
    /** The third parameter has other types in vitest and in Jest. */
    stringify(value: unknown, maxDepth?: number, options?: never): string
    diff?(expected: unknown, actual: unknown): string | null | undefined
  }
}

function toText(value: unknown): string {
  return stringifyJson(showMatchers(value)) ?? String(value)
}

/** JSON has no regular expressions and asymmetric matchers. */
function showMatchers(value: unknown): unknown {
  if (isKind(value, 'RegExp')) return String(value)
  if (isAsymmetric(value)) return value.toAsymmetricMatcher?.() ?? String(value)
  if (Array.isArray(value)) return value.map(showMatchers)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, showMatchers(member)]))
}

/** A state that needs no test runner. */
export const PLAIN_STATE: MatcherState = {
  equals: Object.is,
  utils: {
    stringify: toText,
    diff: (expected, actual) => `- Expected: ${toText(expected)}\n+ Received: ${toText(actual)}`,
  },
}

/**
 * Whether a value has all that is expected of it. Not the runner's own equality of subsets, in which every text equals a
 * regular expression. The runner compares what is neither a list nor an object.
 */
export function createEquals(state: MatcherState): Equals {
  return function matches(actual, expected): boolean {
    if (isAsymmetric(expected)) return expected.asymmetricMatch(actual)
    // Not `test`, which continues where its last match ended if the expression is global.
    if (isKind(expected, 'RegExp')) return typeof actual === 'string' && actual.search(expected) >= 0
    if (Array.isArray(expected)) {
      const isSameLength = Array.isArray(actual) && actual.length === expected.length
      return isSameLength && expected.every((item, index) => matches(actual[index], item))
    }
    if (isKind(expected, 'Object')) {
      return isKind(actual, 'Object') && Object.entries(expected).every(([name, value]) => matches(actual[name], value))
    }
    const isInteger = typeof expected === 'bigint' || Number.isInteger(expected)
    if (isInteger && typeof actual === 'bigint') return actual === BigInt(expected as bigint)
    if (typeof expected === 'bigint' && Number.isInteger(actual)) return BigInt(actual as number) === expected
    return state.equals(actual, expected, state.customTesters as never[])
  }
}

interface AsymmetricMatcher {
  asymmetricMatch(actual: unknown): boolean
  /** Its description, such as `Any<Number>`. */
  toAsymmetricMatcher?(): string
}

export function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return typeof (value as { asymmetricMatch?: unknown } | null | undefined)?.asymmetricMatch === 'function'
}
