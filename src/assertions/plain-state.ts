import { stringifyJson } from '../lib/json.js'
import { isKind } from '../lib/kind.js'
import { isPlainObject } from '../lib/plain-object.js'
import type { MatcherState } from './matchers.js'

const toText = (value: unknown) => stringifyJson(value) ?? String(value)

/** For callers of the matchers other than a test runner with `expect.extend`, or one that compares in another way. */
export const plainState: MatcherState = {
  equals: matches,
  utils: {
    stringify: toText,
    diff: (expected, actual) => `- Expected: ${toText(expected)}\n+ Received: ${toText(actual)}`,
  },
}

/** Whether a value has all that is expected of it. Expected may be asymmetric matchers, such as `expect.any(Number)`. */
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
  return Object.is(actual, expected)
}

function isAsymmetric(value: unknown): value is { asymmetricMatch(actual: unknown): boolean } {
  return typeof (value as { asymmetricMatch?: unknown } | null | undefined)?.asymmetricMatch === 'function'
}
