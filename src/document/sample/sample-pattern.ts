import { RecentMap } from '../../lib/collections.js'
import type { RandomSource } from '../../lib/random.js'
import { flagsOf, toDocumentPattern } from '../schema/document-pattern.js'
import { parseQuantifier, splitPattern } from '../schema/linear-regexp.js'
import { draw } from './formats.js'

/** Parts of a text that are generated, in all attempts together. */
const MAX_PARTS = 10_000
const MAX_ATTEMPTS = 40
/** Steps of testing, in all attempts together. */
const MAX_WORK = 100_000
/** Of groups inside groups, which are read by functions that call themselves. */
const MAX_DEPTH = 50
const MAX_PATTERN = 1000
/** Texts whose result is kept. */
const MAX_TESTED = 20
/** The end of what is searched for a rare character. */
const MAX_CODE = 0x3000

/** For patterns with lookarounds, which are generated as if they were not there. */
const CANDIDATES = [
  'Passw0rd!Abc',
  'Abc-123',
  'A1b2C3d4',
  'a',
  '1',
  'example.com',
  '2025-06-15',
  '/a/b',
  'a@example.com',
]

/** A pattern of a schema, read once. */
export interface TextPattern {
  /** Undefined if the pattern cannot be tested in linear time. */
  matches(text: string): boolean | undefined
  /** Returns undefined if no match was found. */
  make(random: RandomSource, minLength: number, maxLength: number): string | undefined
}

/** Reads each pattern once. */
export function createPatternReader(): (pattern: string) => TextPattern | undefined {
  const known = new Map<string, TextPattern | undefined>()
  return (pattern) => {
    if (!known.has(pattern)) known.set(pattern, readPattern(pattern))
    return known.get(pattern)
  }
}

/** Returns undefined for a pattern that is no regular expression, or longer than what a person writes. */
export function readPattern(pattern: string): TextPattern | undefined {
  if (pattern.length > MAX_PATTERN) return undefined
  const flags = flagsOf(pattern)
  if (flags === undefined) return undefined
  const tested = toDocumentPattern(pattern)
  const matches = (text: string, work = { left: MAX_WORK }) => {
    try {
      return tested?.test(text, work)
    } catch {
      return false
    }
  }
  // A value is checked in each choice that it is part of.
  const results = new RecentMap<string, boolean>(MAX_TESTED)
  const generate = readGenerator(splitPattern(pattern, flags), flags)
  return {
    matches(text) {
      const result = results.get(text) ?? matches(text)
      if (result !== undefined) results.set(text, result)
      return result
    },
    make(random, minLength, maxLength) {
      const work = { left: MAX_WORK }
      const hasLength = ({ length }: string) => length >= minLength && length <= maxLength
      const draft: Draft = { random, target: undefined, anyCharacter: false, left: MAX_PARTS }
      for (let attempt = 0; attempt < MAX_ATTEMPTS && draft.left > 0; attempt++) {
        draft.anyCharacter = attempt % 8 === 7
        const text = generate(draft)
        // An empty text says little, even where it is allowed.
        const isMatch = hasLength(text) && (matches(text, work) ?? true)
        if (isMatch && (text !== '' || attempt > 8 || maxLength === 0)) return text
        const padded = text.padEnd(minLength, 'a')
        if (padded !== text && hasLength(padded) && matches(padded, work)) return padded
        const missing = Math.max(minLength - text.length, 0) - Math.max(text.length - maxLength, 0)
        if (missing !== 0) draft.target = Math.max((draft.target ?? text.length) + missing, 0)
      }
      return CANDIDATES.find((text) => hasLength(text) && matches(text))
    },
  }
}

interface Draft {
  readonly random: RandomSource
  /** Parts that repeat go on until the text has this length. Without it, they repeat a few times. */
  target: number | undefined
  /** Otherwise lower-case letters and digits are preferred. */
  anyCharacter: boolean
  /** How many more parts may be generated. */
  left: number
}

/** Returns the text before it with its own text added. */
type Part = (draft: Draft, before: string) => string

function readGenerator(tokens: readonly string[], flags: string): (draft: Draft) => string {
  let position = 0

  function readAlternatives(depth: number): Part {
    const alternatives: Part[][] = [[]]
    while (position < tokens.length) {
      const token = tokens[position++] as string
      if (token === ')') break
      if (token === '|') alternatives.push([])
      else alternatives.at(-1)?.push(readRepeated(readPart(token, depth)))
    }
    return (draft, before) => draw(draft.random, alternatives).reduce((text, part) => part(draft, text), before)
  }

  function readPart(token: string, depth: number): Part {
    if (token.startsWith('(')) {
      if (depth > MAX_DEPTH) position = tokens.length
      const inner = readAlternatives(depth + 1)
      return /^\(\?<?[=!]/.test(token) ? nothing : inner
    }
    return /^(?:[\^$]|\\[bB1-9k])$/.test(token) ? nothing : readCharacter(token, flags)
  }

  function readRepeated(part: Part): Part {
    const quantifier = parseQuantifier(tokens[position])
    if (quantifier === undefined) return part
    position += 1
    const { min, max } = quantifier
    return (draft, before) => {
      const usual = min + Math.floor(draft.random() * (Math.min(max, min + 5) - min + 1))
      const count = draft.target === undefined ? usual : max
      let text = before
      for (let index = 0; index < count && draft.left > 0; index++) {
        if (draft.target !== undefined && index >= min && text.length >= draft.target) break
        draft.left -= 1
        text = part(draft, text)
      }
      return text
    }
  }

  const whole = readAlternatives(0)
  return (draft) => whole(draft, '')
}

const nothing: Part = (_, before) => before

const PREFERRED = 'abcdefghijklmnopqrstuvwxyz0123456789'
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')

function readCharacter(token: string, flags: string): Part {
  if (!/^[\\.[]/.test(token)) return (_, before) => before + token
  const regExp = new RegExp(`^(?:${token})$`, flags)
  const keep = (alphabet: string) => [...alphabet].filter((character) => regExp.test(character))
  const printable = keep(PRINTABLE)
  const preferred = keep(PREFERRED)
  const all = printable.length > 0 ? printable : findOther(regExp)
  return ({ random, anyCharacter }, before) => {
    const characters = anyCharacter || preferred.length === 0 ? all : preferred
    return characters.length > 0 ? before + draw(random, characters) : before
  }
}

/** A control character, or one of another script, for a class that has no printable ASCII character. */
function findOther(regExp: RegExp): string[] {
  for (let code = 0; code < MAX_CODE; code++) {
    const character = String.fromCharCode(code)
    if (regExp.test(character)) return [character]
  }
  return []
}
