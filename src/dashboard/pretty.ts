import { stringifyJson } from '../lib/json.js'

/** Deeper than this nobody reads, and the blanks in front would be most of the text. */
const MAX_LEVELS = 40

/** JSON with line breaks, large integers digit for digit. */
export function prettyJson(value: unknown): string {
  try {
    return write(value, 0)
  } catch {
    return '(nested too deeply to be shown)'
  }
}

function write(value: unknown, level: number): string {
  if (typeof value !== 'object' || value === null || level >= MAX_LEVELS) return stringifyJson(value) ?? 'null'
  const isList = Array.isArray(value)
  const items = isList
    ? value.map((item) => write(item, level + 1))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${write(member, level + 1)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (items.length === 0) return open + close
  const indent = '  '.repeat(level)
  return `${open}\n${items.map((item) => `${indent}  ${item}`).join(',\n')}\n${indent}${close}`
}

/** A piece of JSON text, and what it is. */
export interface JsonPiece {
  readonly kind: 'name' | 'text' | 'value' | 'other'
  readonly text: string
}

const PIECE = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g

/** Cuts JSON text into pieces to be coloured. Put together again they are the text. */
export function toPieces(json: string): JsonPiece[] {
  const pieces: JsonPiece[] = []
  let end = 0
  for (const match of json.matchAll(PIECE)) {
    const [whole, quoted, colon] = match
    const text = quoted ?? whole
    if (match.index > end) pieces.push({ kind: 'other', text: json.slice(end, match.index) })
    pieces.push({ kind: quoted === undefined ? 'value' : colon === undefined ? 'text' : 'name', text })
    end = match.index + text.length
  }
  if (end < json.length) pieces.push({ kind: 'other', text: json.slice(end) })
  return pieces
}
