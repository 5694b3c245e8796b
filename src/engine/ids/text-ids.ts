import type { Id } from '../../lib/int64.js'
import type { IdDescription } from '../resources/resource.js'
import { compareTexts } from './compare-texts.js'
import { countedBy } from './counting-sequence.js'
import type { IdKind } from './kind.js'
import { createNumberedText } from './numbered-text.js'
import { readPattern, toRegExp } from './pattern.js'

type TextDescription = Extract<IdDescription, { type: 'text' }>

const LETTERS_AND_DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'

/** How many characters follow the prefix. */
const USUAL_LENGTH = 14

/** Longer ids are not made, even if a schema asks for them. */
const MAX_LENGTH = 1000

/** How often a part of a pattern is repeated if it can be repeated any number of times: the first that gives valid ids. */
const REPETITIONS = [12, 4, 1]

/** In these, counting has reached digits, the last letter, and more than one character. */
const SAMPLES = [1, 35, 1000]

/**
 * Any text that is not empty. New ids match the pattern and the lengths if one that does is found: a pattern may be complex,
 * and a document may contradict itself. Whether a received id matches, the contract checks.
 */
export function createTextIds(description: TextDescription): IdKind {
  const { pattern } = description
  const expression = pattern === undefined ? undefined : toRegExp(pattern)
  const isAllowed = createCheck(description, expression)
  const [plain, ...patterned] = candidates(description)
  const fits = (textOf: NumberedText) => SAMPLES.every((number) => isAllowed(textOf(number)))
  const preferred = pattern === undefined || expression ? [plain, ...patterned] : patterned
  // A pattern may allow few ids only.
  const textOf = preferred.find(fits) ?? patterned.find((each) => isAllowed(each(1))) ?? plain
  return {
    read: (value) => (typeof value === 'string' && value !== '' ? (value as Id) : undefined),
    toJson: String,
    compare: compareTexts,
    ...countedBy((number) => textOf(number) as Id),
  }
}

function createCheck(
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: TextDescription,
  expression: RegExp | undefined,
) {
  return (text: string): boolean => {
    const { length } = [...text]
    return length >= minLength && length <= maxLength && (expression?.test(text) ?? true)
  }
}

type NumberedText = ReturnType<typeof createNumberedText>

/** In the order of preference: with the prefix alone, then by the pattern. */
function candidates(description: TextDescription): [plain: NumberedText, ...patterned: NumberedText[]] {
  const { prefix = '', pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = description
  const wanted = Math.max(USUAL_LENGTH, minLength - prefix.length)
  const length = Math.max(1, Math.min(wanted, maxLength - prefix.length, MAX_LENGTH))
  const plain = [...prefix.split(''), ...Array<string>(length).fill(LETTERS_AND_DIGITS)]
  const patterned = REPETITIONS.map((count) => (pattern === undefined ? undefined : readPattern(pattern, count)))
  const found = patterned.filter((alphabets) => alphabets !== undefined)
  return [createNumberedText(plain), ...found.map(createNumberedText)]
}
