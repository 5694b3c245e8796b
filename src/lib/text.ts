import { isPlain } from './json.js'
import { orElse } from './values.js'

/** Quotes input for a message: one line, escaped, and at most 60 characters. */
export function quote(text: string): string {
  const shown = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
  return isPlain(shown) ? `"${shown}"` : escapeInvisible(JSON.stringify(shown))
}

const MAX_LENGTH = 60

/**
 * Control characters, unusual line ends, halves of characters, and what changes the direction of text: they could break a line,
 * or hide, reorder or control what a terminal shows.
 */
const UNPRINTABLE = /[\p{Cc}\p{Surrogate}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** Control and format characters, and unusual line ends. Line feeds and tabs are between strings. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Replaces characters that could break the line or control the terminal, and shortens the text. */
export function printable(text: string, maxLength = 300): string {
  const clean = text.replaceAll(UNPRINTABLE, '\ufffd')
  return clean.length > maxLength ? `${clean.slice(0, maxLength)}…` : clean
}

/** The same for a text of several lines, not shortened. */
export function printableLines(text: string): string {
  return text.split('\n').map(printableLine).join('\n')
}

const printableLine = (line: string) => printable(line, Number.POSITIVE_INFINITY)

/** Escapes what could control a terminal, or be overlooked there. For JSON, and for code that has such characters in strings only. */
export function escapeInvisible(code: string): string {
  return code.replaceAll(INVISIBLE, escapeUnits)
}

function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

/** JSON for a terminal. */
export function toPrintableJson(value: unknown, indent?: number): string {
  return escapeInvisible(JSON.stringify(value, null, indent))
}

/** Whether a text has only characters that can be shown as they are, line feeds and tabs included. */
export function isVisible(text: string): boolean {
  return !/[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]/u.test(text)
}

/** Several sentences as one, whether they end with a full stop or not. */
export function joinSentences(sentences: readonly string[]): string {
  return `${sentences.map((sentence) => sentence.replace(/\.$/, '')).join('; ')}.`
}

/** Encodes a text for a path or a query. JSON texts can have half a character, which neither can have. */
export function encodePart(text: string): string {
  return encodeURIComponent(withoutHalves(text))
}

/** Encodes what cannot stand in a path as it is. Slashes and what else has a meaning in a path stay. */
export function encodePath(text: string): string {
  return encodeURI(withoutHalves(text)).replaceAll(/[?#]/g, encodeURIComponent)
}

const withoutHalves = (text: string) => text.replaceAll(/\p{Surrogate}/gu, '\ufffd')

/** A text that cannot be decoded stays as it is. */
export function decodePercent(text: string): string {
  return text.includes('%') ? orElse(() => decodeURIComponent(text), text) : text
}

const encoder = new TextEncoder()

/** Encoding into memory that is there already is faster than searching the text for other characters than ASCII. */
const scratch = new Uint8Array(65_536)

/** A UTF-16 unit takes at most three bytes. */
const MAX_SCRATCH_LENGTH = scratch.length / 3

export function utf8Length(text: string): number {
  return text.length <= MAX_SCRATCH_LENGTH ? encoder.encodeInto(text, scratch).written : encoder.encode(text).length
}

export function toBytes(body: string | Uint8Array = ''): Uint8Array {
  return typeof body === 'string' ? encoder.encode(body) : body
}

export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks
  if (chunks.length === 1 && only) return only
  const bytes = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0))
  let place = 0
  for (const chunk of chunks) {
    bytes.set(chunk, place)
    place += chunk.length
  }
  return bytes
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Throws when the text is not Base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
