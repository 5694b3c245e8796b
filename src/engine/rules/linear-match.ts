import { LinearRegExp, UnsupportedPattern } from '../../document/schema/linear-regexp.js'
import { MockError } from '../../http/errors.js'
import { isPlainObject } from '../../lib/values.js'
import { findMatchProblem, isRegExpMatch } from './request-match.js'

/**
 * For a rule or a filter that came over HTTP or from a file: its regular expressions are not the user's own code, and must
 * not block the process. Throws INVALID_OPTION when one is not supported. Other mistakes are found later.
 */
export function withLinearMatch<T extends object>(rule: T): T {
  return 'match' in rule ? { ...rule, match: replacePatterns(rule.match, '/match') } : rule
}

function replacePatterns(value: unknown, pointer: string): unknown {
  if (isRegExpMatch(value)) return toLinear(value, pointer)
  if (Array.isArray(value)) return value.map((item, index) => replacePatterns(item, `${pointer}/${index}`))
  if (!isPlainObject(value)) return value
  const members = Object.entries(value)
  return Object.fromEntries(members.map(([name, member]) => [name, replacePatterns(member, `${pointer}/${name}`)]))
}

function toLinear(pattern: { matches: string; flags?: string }, pointer: string): unknown {
  if (findMatchProblem(pattern) !== undefined) return pattern
  try {
    return new LinearRegExp(pattern.matches, pattern.flags)
  } catch (error) {
    // Never the pattern itself: RegExp would accept it.
    const problem = error instanceof UnsupportedPattern ? error.message : 'is not supported'
    throw new MockError('INVALID_OPTION', `${pointer}/matches ${problem}.`)
  }
}
