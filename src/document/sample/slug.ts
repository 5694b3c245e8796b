import type { Schema } from '../schema/schema.js'
import { isValid } from './fit-value.js'

/** Spellings of a name in an address, the most usual first. */
const SPELLINGS: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join('-'),
  (words) => words.join('_'),
  (words) => words.join(''),
  (words) => words.join('').toUpperCase(),
  (words) =>
    words
      .map((word) => word.charAt(0))
      .join('')
      .toUpperCase(),
]

/** A name as an address has it: `how-to-dig` for `How to dig!`. Undefined if the schema allows no spelling of it. */
export function slugOf(name: string, schema: Schema): string | undefined {
  const plain = name.normalize('NFKD').replaceAll(/[\p{M}'’]/gu, '')
  const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? []
  if (words.length === 0) return undefined
  return SPELLINGS.map((spell) => spell(words)).find((slug) => isValid(schema, slug))
}
