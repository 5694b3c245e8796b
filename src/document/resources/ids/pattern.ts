import { createRandom } from '../../../lib/random.js'
import { orElse } from '../../../lib/values.js'

/** The characters that a text can have at each position, sorted by code. */
export type Alphabets = readonly string[]

/** How many texts are needed at most. With more possible ones, they look less like a number. */
const MAX_NUMBER = 2 ** 28
const MANY = 2 ** 32

/**
 * Makes a different text of each number. A larger number gives a text that sorts later. The first positions count, the others
 * are filled at random, the same for the same number and purpose. When there are not enough texts, longer ones follow.
 */
export function createNumberedText(alphabets: Alphabets, purpose: string): (number: number) => string {
  let possible = 1
  let counting = 0
  for (; counting < alphabets.length && possible < MANY; counting++) possible *= sizeAt(counting)
  const hasMany = possible >= MANY
  const limit = hasMany ? MAX_NUMBER : possible
  const start = hasMany ? Math.floor(possible * (0.11 + 0.38 * createRandom(0, purpose)())) : 0
  const step = hasMany ? Math.floor(possible / 2 / MAX_NUMBER) : 1

  function sizeAt(position: number): number {
    return alphabets[position]?.length ?? 1
  }

  return (number) => {
    const random = createRandom(number, `id/${purpose}`)
    let rest = start + step * (number % limit)
    let counted = ''
    for (let position = counting - 1; position >= 0; position--) {
      counted = alphabets[position]?.charAt(rest % sizeAt(position)) + counted
      rest = Math.floor(rest / sizeAt(position))
    }
    const filled = alphabets.slice(counting).map((characters) => characters.charAt(random() * characters.length))
    const round = Math.floor(number / limit)
    return `${counted}${filled.join('')}${round === 0 ? '' : round}`
  }
}

const DIGITS = '0123456789'
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const ALPHABETS = [DIGITS + LOWER, DIGITS + LOWER.toUpperCase()]
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')

/** A character class, an escaped character, or a character that means itself. */
const CHARACTER = /\[(?:\\.|[^\]\\])+\]|\\[dws]|\\[^A-Za-z0-9]|[^\\()[\]{}*+?|^$]/uy
const ANCHOR = /[\^$]/y
/** Not one that looks ahead or behind. */
const GROUP = /\((?:\?:|\?<\w+>|(?!\?))/y
const QUANTIFIER = /(?:\{(?<min>\d+)(?<open>,(?<max>\d*))?\}|(?<sign>[*+?]))\??/y

/** Longer than any id. */
const MAX_LENGTH = 250

class TooComplex extends Error {}

/**
 * The characters at each position of texts that match a simple pattern: characters and classes with counts, in groups or not;
 * of alternatives, the first. A character that can be repeated any number of times is repeated `usual` times. Undefined if
 * the pattern has anything else.
 */
export function readPattern(pattern: string, usual: number): Alphabets | undefined {
  let at = 0

  function accept(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = at
    const match = expression.exec(pattern)
    if (match) at += match[0].length
    return match ?? undefined
  }

  function acceptText(text: string): boolean {
    const isNext = pattern.startsWith(text, at)
    if (isNext) at += text.length
    return isNext
  }

  function readAlternatives(): string[] {
    const first = readSequence()
    while (acceptText('|')) readSequence()
    return first
  }

  function readSequence(): string[] {
    const positions: string[] = []
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') {
      const part = readPart()
      // A group of several characters is repeated as seldom as possible.
      const count = readCount(part.length === 1 ? usual : 0)
      if (positions.length + part.length * count > MAX_LENGTH) throw new TooComplex()
      for (let repeated = 0; repeated < count; repeated++) positions.push(...part)
    }
    return positions
  }

  function readPart(): string[] {
    if (accept(ANCHOR)) return []
    if (accept(GROUP)) {
      const inside = readAlternatives()
      if (!acceptText(')')) throw new TooComplex()
      return inside
    }
    const character = accept(CHARACTER)
    if (character === undefined) throw new TooComplex()
    return [alphabetOf(character[0])]
  }

  function readCount(usualCount: number): number {
    const quantifier = accept(QUANTIFIER)
    if (quantifier === undefined) return 1
    const { min, open, max, sign } = quantifier.groups ?? {}
    const least = sign === undefined ? Number(min) : Number(sign === '+')
    if (sign === '?' || (sign === undefined && open === undefined)) return least
    return Math.min(max ? Number(max) : Number.POSITIVE_INFINITY, Math.max(least, usualCount))
  }

  if (pattern.length > MAX_LENGTH) return undefined
  try {
    const positions = readAlternatives()
    return at === pattern.length ? positions : undefined
  } catch (error) {
    if (error instanceof TooComplex || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** How often a pattern may let RegExp choose: it tries all combinations. */
const MAX_CHOICES = 3

/**
 * For testing texts as short as ids: RegExp could try more ways than anyone waits for. Undefined if the pattern is more complex
 * than that of ids, or not valid.
 */
export function toRegExp(pattern: string): RegExp | undefined {
  const bare = pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]|(?<=\()\?:/g, '')
  const choices = bare.match(/[*+?|]|\{\d+,/g) ?? []
  const multiplies = choices.length > 0 && /\)[*+{]/.test(bare)
  if (multiplies || choices.length > MAX_CHOICES) return undefined
  return orElse(() => new RegExp(pattern, 'u'), undefined)
}

/** The characters that match. Letters of one case and digits are preferred, because ids look like that. */
function alphabetOf(source: string): string {
  const expression = new RegExp(`^${source}$`)
  const matching = (characters: string) => [...characters].filter((character) => expression.test(character)).join('')
  const [lower = '', upper = ''] = ALPHABETS.map(matching)
  const found = (upper.length > lower.length ? upper : lower) || matching(PRINTABLE)
  if (found === '') throw new TooComplex()
  return found
}
