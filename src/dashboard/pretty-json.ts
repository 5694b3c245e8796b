import { stringifyJson } from '../lib/json.js'
import { breakLines } from '../lib/json-lines.js'

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
