import { isPlainObject } from '../../lib/plain-object.js'

/** The exact value, or a regular expression for its text. In JSON a regular expression is `{ "matches": "^R" }`. */
export type ValueMatch =
  | string
  | number
  | bigint
  | boolean
  | RegExp
  | { readonly matches: string; readonly flags?: string }

/** Which requests of an operation are meant. Every given part must match. */
export interface RequestMatch {
  /** By the name of the parameter. If it is repeated, one of its values must match. */
  query?: Readonly<Record<string, ValueMatch>>
  /** By the name of the header, in any capitalization. */
  headers?: Readonly<Record<string, ValueMatch>>
  /** Members that the JSON body must have; others may be there, too. A list must have all items, in this order. */
  body?: unknown
}

/** The same match without RegExp objects, as it is written in JSON. */
export function toJsonMatch(match: RequestMatch): RequestMatch {
  return replaceRegExps(match) as RequestMatch
}

function replaceRegExps(value: unknown): unknown {
  if (value instanceof RegExp) {
    const flags = value.flags.replaceAll(/[gy]/g, '')
    return { matches: value.source, ...(flags !== '' && { flags }) }
  }
  if (Array.isArray(value)) return value.map(replaceRegExps)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaceRegExps(member)]))
}
