import { isPlain } from './json.js'

/** Quotes input for a message: one line, escaped, and at most 60 characters. */
export function quote(text: string): string {
  const shown = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text
  return isPlain(shown) ? `"${shown}"` : JSON.stringify(shown).replaceAll(INVISIBLE, escapeCharacter)
}

/** Invisible characters, and those that change the direction of text. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}]/gu

function escapeCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

const MAX_LENGTH = 60
