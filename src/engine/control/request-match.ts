import { parseJson } from '../../lib/json.js'
import { findExcess } from '../../lib/json-size.js'
import { orElse } from '../../lib/or-else.js'
import { isPlainObject } from '../../lib/plain-object.js'
import type { PlainRequest } from '../contract/messages.js'
import { parseQuery } from '../contract/target.js'
import { DEFAULT_LIMITS } from '../limits.js'
import type { RequestMatch } from './json-match.js'

/** What is wrong with a match that has the right shape, after the pointer to it. */
export function findMatchProblem(match: unknown, pointer = '/match'): string | undefined {
  if (typeof match === 'function' || typeof match === 'symbol') return `${pointer} must be JSON or a regular expression`
  if (isRegExpMatch(match)) {
    try {
      toRegExp(match)
      return undefined
    } catch {
      return `${pointer}/matches is not a regular expression with the flags ${JSON.stringify(match.flags ?? '')}`
    }
  }
  if (typeof match !== 'object' || match === null) return undefined
  for (const [name, member] of Object.entries(match)) {
    const problem = findMatchProblem(member, `${pointer}/${name}`)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** The match must be one that `toJsonMatch` returned and `findMatchProblem` accepts. */
export function compileMatch({ query, headers, body }: RequestMatch = {}): (request: PlainRequest) => boolean {
  const queryTests = compileValues(query)
  const headerTests = compileValues(headers)
  const testBody = body === undefined ? undefined : compileBody(body)
  return (request) =>
    (queryTests.length === 0 || matchesQuery(queryTests, request.query)) &&
    headerTests.every(([name, test]) => test(headerOf(request, name))) &&
    (testBody === undefined || testBody(jsonOf(request.body)))
}

function headerOf({ headers }: PlainRequest, name: string): string | undefined {
  const lower = name.toLowerCase()
  return Object.hasOwn(headers, lower) ? headers[lower] : undefined
}

type Test = (value: unknown) => boolean

function compileValues(values: RequestMatch['query'] = {}): [name: string, test: Test][] {
  return Object.entries(values).map(([name, value]) => [
    name,
    isRegExpMatch(value) ? compileBody(value) : (given) => given === String(value),
  ])
}

function matchesQuery(tests: readonly [string, Test][], query: string): boolean {
  const given = orElse(() => parseQuery(query), undefined)
  return given !== undefined && tests.every(([name, test]) => given.get(name)?.some(test) === true)
}

function compileBody(expected: unknown): Test {
  if (isRegExpMatch(expected)) {
    const regExp = toRegExp(expected)
    return (value) => isPrimitive(value) && regExp.test(String(value))
  }
  if (Array.isArray(expected)) {
    const items = expected.map(compileBody)
    return (value) =>
      Array.isArray(value) && value.length === items.length && items.every((test, index) => test(value[index]))
  }
  if (typeof expected === 'object' && expected !== null) {
    const members = Object.entries(expected).map(([name, member]) => [name, compileBody(member)] as const)
    return (value) =>
      isPlainObject(value) && members.every(([name, test]) => Object.hasOwn(value, name) && test(value[name]))
  }
  // An integer may be a number or a bigint.
  if (typeof expected === 'bigint' || typeof expected === 'number') {
    return (value) => (typeof value === 'bigint' || typeof value === 'number') && String(value) === String(expected)
  }
  return (value) => value === expected
}

function isPrimitive(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'object'
}

function isRegExpMatch(value: unknown): value is { matches: string; flags?: string } {
  if (!isPlainObject(value) || typeof value.matches !== 'string') return false
  const { matches, flags, ...others } = value
  return (flags === undefined || typeof flags === 'string') && Object.keys(others).length === 0
}

function toRegExp({ matches, flags = '' }: { matches: string; flags?: string }): RegExp {
  // With these flags a RegExp remembers where the last test ended.
  if (/[gy]/.test(flags)) throw new SyntaxError('Unsupported flags.')
  return new RegExp(matches, flags)
}

const decoder = new TextDecoder()

/** Undefined when it is not JSON, or too deep or too large to be compared. */
function jsonOf(body: PlainRequest['body']): unknown {
  if (body === undefined || typeof body === 'string') return undefined
  const text = decoder.decode(body)
  return findExcess(text, DEFAULT_LIMITS) === undefined ? orElse(() => parseJson(text), undefined) : undefined
}
