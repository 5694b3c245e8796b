import { stringifyJson } from '../lib/json.js'
import { breakLines } from '../lib/json-text.js'

/** `2026-03-31T09:30:00.000Z` becomes `09:30:00`. */
export function timeOfDay(at: string): string {
  return at.slice(11, 19)
}

/** `2026-03-31T09:30:00.000Z` becomes `2026-03-31 09:30:00`. */
export function dateAndTime(at: string): string {
  return `${at.slice(0, 10)} ${timeOfDay(at)}`
}

/** The starting data, such as "empty with fixtures". */
export function describeScenario({ scenario, fixtures }: { scenario: string; fixtures: boolean }): string {
  return fixtures ? `${scenario} with fixtures` : scenario
}

export function duration(milliseconds: number): string {
  if (milliseconds >= 10_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** The number in a form field, exact for large integers. Any other text stays text, for the mock to reject. */
export function toNumber(text = ''): number | bigint | string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (/^-?\d+$/.test(trimmed)) {
    const exact = BigInt(trimmed)
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
  }
  const number = Number(trimmed)
  return Number.isFinite(number) ? number : text
}

/** JSON with line breaks. Large integers are exact. */
export function prettyJson(value: unknown): string {
  try {
    return breakLines(stringifyJson(value) ?? '')
  } catch {
    return '(nested too deeply to be shown)'
  }
}

export interface JsonToken {
  readonly kind: 'name' | 'string' | 'value' | 'other'
  readonly text: string
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g

/** Splits JSON text for highlighting. The tokens' texts add up to the whole. */
export function toTokens(json: string): JsonToken[] {
  const tokens: JsonToken[] = []
  let end = 0
  for (const match of json.matchAll(TOKEN)) {
    const [whole, quoted, colon] = match
    const text = quoted ?? whole
    tokens.push({ kind: 'other', text: json.slice(end, match.index) })
    tokens.push({ kind: quoted === undefined ? 'value' : colon === undefined ? 'string' : 'name', text })
    end = match.index + text.length
  }
  return [...tokens, { kind: 'other', text: json.slice(end) }]
}

/** `shipDate` and `ship_date` become `Ship date`. That of a reference is without its `id`: `authorId` becomes `Author`. */
export function toLabel(name: string, isReference = false): string {
  const words = name.match(/\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?\p{Ll}+\p{N}*|\p{L}+|\p{N}+/gu) ?? [name]
  const label = capitalize(words.join(' ').toLowerCase())
  return isReference ? label.replace(/(?<=.) id$/, '') : label
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** As in error codes: `blog post` becomes `BLOG_POST`. */
export function toCode(noun: string): string {
  return noun.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')
}
