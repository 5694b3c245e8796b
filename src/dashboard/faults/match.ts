import type { Check } from '../components/problems.js'
import { checkJson, readJsonField } from './fields.js'

/** Checks the text of a match: an object with `query`, `headers` and `body`, as the admin API describes it. */
export const checkMatch: Check = (text, values) => checkJson(text, values) ?? findProblem(readJsonField(text))

function findProblem(match: unknown): string | undefined {
  if (match === undefined) return undefined
  if (!isObject(match)) return 'enter an object such as {"query":{"status":"sold"}}.'
  const unknown = Object.keys(match).find((name) => !['query', 'headers', 'body'].includes(name))
  if (unknown !== undefined) return `"${unknown}" is unknown. Use "query", "headers" and "body".`
  const { query = {}, headers = {}, body } = match
  for (const [part, given] of Object.entries({ query, headers })) {
    if (!isObject(given)) return `"${part}" must be an object with names and values.`
    const wrong = Object.entries(given).find(([, value]) => !isSimple(value) && !isPattern(value))
    if (wrong) return `"${wrong[0]}" must be text, a number, true, false, or {"matches":"a regular expression"}.`
  }
  return findWrongPattern([query, headers, body])
}

function findWrongPattern(value: unknown): string | undefined {
  if (isPattern(value)) {
    const { matches, flags = '' } = value
    if (!/^[imsu]*$/.test(flags)) return `"${flags}" are not flags. Use the letters i, m, s and u.`
    return isRegExp(matches, flags) ? undefined : `"${matches}" is not a regular expression.`
  }
  if (typeof value !== 'object' || value === null) return undefined
  return Object.values(value)
    .map(findWrongPattern)
    .find((problem) => problem !== undefined)
}

function isRegExp(pattern: string, flags: string): boolean {
  try {
    return Boolean(new RegExp(pattern, flags))
  } catch {
    return false
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSimple(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
}

function isPattern(value: unknown): value is { matches: string; flags?: string } {
  if (!isObject(value)) return false
  const { matches, flags = '', ...others } = value
  return typeof matches === 'string' && typeof flags === 'string' && Object.keys(others).length === 0
}
