import type { Work } from '../../document/schema/linear-regexp.js'
import { DEFAULT_LIMITS } from '../../http/limits.js'
import type { PlainRequest } from '../../http/messages.js'
import { parseQuery } from '../../http/target.js'
import { parseJson } from '../../lib/json.js'
import { findExcess } from '../../lib/json-in-steps.js'
import { isKind, isPlainObject, orElse } from '../../lib/values.js'

/** The exact value, or a regular expression for its text. In JSON a regular expression is `{ "matches": "^R" }`. */
export type ValueMatch =
  | string
  | number
  | bigint
  | boolean
  | RegExp
  | { readonly matches: string; readonly flags?: string }

/** Selects requests. Every given part must match. */
export interface RequestMatch {
  /** By the name of the parameter. If it is repeated, one of its values must match. */
  query?: Readonly<Record<string, ValueMatch>>
  /** By the name of the header, in any capitalization. */
  headers?: Readonly<Record<string, ValueMatch>>
  /** Members that the JSON body must have; other members are allowed. A list must have the same length and items. */
  body?: unknown
}

/** The same match without RegExp objects, as it is written in JSON. */
export function toJsonMatch(match: RequestMatch): RequestMatch {
  const json = replaceRegExps(match) as RequestMatch
  // Anything else is rejected later.
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json
  const { query, headers } = json
  return { ...json, ...(query && { query: asTexts(query) }), ...(headers && { headers: asTexts(headers) }) }
}

/** Queries and headers are text, and JSON numbers are not exact beyond 2^53. */
function asTexts(values: NonNullable<RequestMatch['query']>): NonNullable<RequestMatch['query']> {
  if (!isPlainObject(values)) return values
  const texts = Object.entries(values).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value])
  return Object.fromEntries(texts)
}

function replaceRegExps(value: unknown): unknown {
  if (isKind(value, 'RegExp')) {
    const flags = value.flags.replaceAll(/[gy]/g, '')
    return { matches: value.source, ...(flags !== '' && { flags }) }
  }
  if (Array.isArray(value)) return value.map(replaceRegExps)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaceRegExps(member)]))
}

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

export type Matches = (request: PlainRequest, work: Work) => boolean

/** What the regular expressions of others may take for a request: about 100 ms. */
export const createWork = (): Work => ({ left: 1_000_000 })

/** `toJsonMatch` must make a match of it that `findMatchProblem` accepts. */
export function compileMatch({ query, headers, body }: RequestMatch = {}): Matches {
  const queryTests = compileValues(query)
  const headerTests = compileValues(headers)
  const testBody = body === undefined ? undefined : compileBody(body)
  return (request, work) =>
    (queryTests.length === 0 || matchesQuery(queryTests, request.query, work)) &&
    headerTests.every(([name, test]) => test(headerOf(request, name), work)) &&
    (testBody === undefined || testBody(jsonOf(request.body), work))
}

function headerOf({ headers }: PlainRequest, name: string): string | undefined {
  const lower = name.toLowerCase()
  return Object.hasOwn(headers, lower) ? headers[lower] : undefined
}

type Test = (value: unknown, work: Work) => boolean

function compileValues(values: RequestMatch['query'] = {}): [name: string, test: Test][] {
  return Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object' ? compileBody(value) : (given) => given === String(value),
  ])
}

function matchesQuery(tests: readonly [string, Test][], query: string, work: Work): boolean {
  const given = orElse(() => parseQuery(query), undefined)
  return (
    given !== undefined && tests.every(([name, test]) => given.get(name)?.some((value) => test(value, work)) === true)
  )
}

function compileBody(expected: unknown): Test {
  if (isKind(expected, 'RegExp') || isRegExpMatch(expected)) {
    const regExp = toRegExp(expected)
    return (value, work) => isPrimitive(value) && regExp.test(String(value), work)
  }
  if (Array.isArray(expected)) {
    const items = expected.map(compileBody)
    return (value, work) =>
      Array.isArray(value) && value.length === items.length && items.every((test, index) => test(value[index], work))
  }
  if (typeof expected === 'object' && expected !== null) {
    const members = Object.entries(expected).map(([name, member]) => [name, compileBody(member)] as const)
    return (value, work) =>
      isPlainObject(value) && members.every(([name, test]) => Object.hasOwn(value, name) && test(value[name], work))
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

export function isRegExpMatch(value: unknown): value is { matches: string; flags?: string } {
  if (!isPlainObject(value) || typeof value.matches !== 'string') return false
  const { matches, flags, ...others } = value
  return (flags === undefined || typeof flags === 'string') && Object.keys(others).length === 0
}

interface TestsText {
  test(text: string, work: Work): boolean
}

/** With the flags `g` and `y` a RegExp remembers where the last test ended. */
function toRegExp(given: RegExp | { matches: string; flags?: string }): TestsText {
  if (isKind(given, 'RegExp')) {
    const { source, flags, global, sticky } = given
    return global || sticky ? new RegExp(source, flags.replaceAll(/[gy]/g, '')) : given
  }
  const { matches, flags = '' } = given
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
