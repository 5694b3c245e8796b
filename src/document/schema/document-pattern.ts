import { orElse } from '../../lib/values.js'
import { LinearRegExp, parseQuantifier, splitPattern, UnsupportedPattern, type Work } from './linear-regexp.js'

/** A pattern of a document, which can be tested in a time that grows with the length of the text only. */
export interface DocumentPattern {
  readonly flags: string
  /** Throws LIMIT_REACHED when no work is left. */
  test(text: string, work?: Work): boolean
}

/** Patterns of real documents are of many dialects. Returns why one cannot be tested, as a sentence goes on: "is not …". */
export function readDocumentPattern(pattern: string): DocumentPattern | string {
  const flags = flagsOf(pattern)
  if (flags === undefined) return 'is not a regular expression of JavaScript'
  try {
    return isStraight(splitPattern(pattern, flags)) ? compile(pattern, flags) : new LinearRegExp(pattern, flags)
  } catch (error) {
    // Never the pattern itself: RegExp would accept it.
    return error instanceof UnsupportedPattern ? error.message : 'is not supported'
  }
}

/** The same for what only matches if it can: a pattern that cannot be tested is undefined. */
export function toDocumentPattern(pattern: string): DocumentPattern | undefined {
  const read = readDocumentPattern(pattern)
  return typeof read === 'string' ? undefined : read
}

/** How many characters RegExp may compare again for each length of the part that varies. */
const MAX_FIXED = 100

/**
 * RegExp is faster, and takes linear time for a pattern that starts at the start, has no groups and no alternatives, and in
 * which one part at most varies in length.
 */
function isStraight(tokens: readonly string[]): boolean {
  const hasChoices = tokens.some((token) => token.startsWith('(') || token === '|')
  const repetitions = tokens.map((token) => parseQuantifier(token)).filter((each) => each !== undefined)
  const fixed = repetitions.reduce((length, { min }) => length + min, tokens.length)
  return tokens[0] === '^' && !hasChoices && fixed <= MAX_FIXED && repetitions.filter(isVariable).length <= 1
}

const isVariable = ({ min, max }: { min: number; max: number }) => min !== max

/** RegExp compiles at the first test, for each width of characters, and throws when the pattern is too large for it. */
function compile(pattern: string, flags: string): RegExp {
  const regExp = new RegExp(pattern, flags)
  for (const text of ['', '\u{1f43e}']) regExp.test(text)
  return regExp
}

/** Without the flag `u`, more is allowed. Undefined if neither RegExp exists. */
export function flagsOf(pattern: string): 'u' | '' | undefined {
  return (['u', ''] as const).find((flags) => orElse(() => Boolean(new RegExp(pattern, flags)), false))
}
