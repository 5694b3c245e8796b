import { parseJson, stringifyJson } from '../lib/json.js'

/** About how many characters a list or a body may have: whoever reads a result pays for each of them. */
export const MAX_CHARACTERS = 20_000

/** The first items, as many as fit, and how many of all there are in addition. */
export function fitItems<Item>(items: readonly Item[], total = items.length): { kept: Item[]; leftOut: number } {
  const kept: Item[] = []
  let size = 0
  for (const item of items) {
    size += stringifyJson(item)?.length ?? 0
    if (size > MAX_CHARACTERS && kept.length > 0) break
    kept.push(item)
  }
  return { kept, leftOut: total - kept.length }
}

/** The value of a body in JSON. Any other body is a text, also one with numbers that JavaScript would round. */
export function fitBody(text: string, mediaType: string | null): { body?: unknown; leftOut?: number } {
  if (text === '') return {}
  if (text.length > MAX_CHARACTERS) {
    return { body: text.slice(0, MAX_CHARACTERS), leftOut: text.length - MAX_CHARACTERS }
  }
  return { body: /[/+]json\b/i.test(mediaType ?? '') ? toValue(text) : text }
}

/** A value of any size, cut like a body. */
export function fitValue(value: unknown): unknown {
  const text = stringifyJson(value) ?? ''
  if (text.length <= MAX_CHARACTERS) return value
  return `${text.slice(0, MAX_CHARACTERS)}… (${text.length - MAX_CHARACTERS} more characters)`
}

function toValue(text: string): unknown {
  try {
    const value = parseJson(text)
    return JSON.stringify(value) === undefined ? text : value
  } catch {
    // Not JSON, or with a bigint in it.
    return text
  }
}

/** The protocol is plain JSON: integers beyond its numbers become text, which the mock accepts as ids. */
export function toPlainJson(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(toPlainJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toPlainJson(member)]))
}
