import { stringifyJson } from '../lib/json.js'
import type { Admin } from './api.js'

type JournalEntry = Admin['JournalEntry']

/** The path and query for display. The journal has the query parsed, and without what cannot be parsed. */
export function targetOf({ path, query }: Pick<JournalEntry, 'path' | 'query'>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((item) => [name, toText(item)]))
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (stringifyJson(value) ?? '')
}

/**
 * Whether a recorded body is a JSON value. The journal records any other body as text, so a string can be either. It is a
 * JSON string only if the mock rejected it for its type.
 */
export function isJson({ response }: JournalEntry, { body, cut }: Admin['JournalMessage']): boolean {
  if (cut || typeof body !== 'string') return !cut
  return (response.body as { code?: unknown } | undefined)?.code === 'INVALID_REQUEST'
}

/** The text of a recorded body, if there is one. */
export function bodyText(entry: JournalEntry, message: Admin['JournalMessage']): string | undefined {
  if (message.body === undefined) return undefined
  return isJson(entry, message) ? stringifyJson(message.body) : String(message.body)
}
