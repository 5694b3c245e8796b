import { isKind } from '../../lib/kind.js'
import { isPlainObject } from '../../lib/plain-object.js'

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
