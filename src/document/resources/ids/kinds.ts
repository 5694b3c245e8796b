import { compareIds, type Id, idAfter, idBefore, parseAnyId, toJsonInt64 } from '../../../lib/int64.js'
import { createRandom, hashText } from '../../../lib/random.js'
import type { IdDescription, IdRange } from '../resource.js'
import { createNumberedText, readPattern, toRegExp } from './pattern.js'
import type { IdKind } from './sequence.js'
import { countedBy, createCountingSequence, createIdSequence, type IdSequence, type StartingIds } from './sequence.js'

/** By UTF-16 code units: the same everywhere, unlike the rules of a language. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

const DIGITS = /^[0-9]+$/

/** Digits in a string. They are sorted as numbers; `007` and `7` are different ids. New ones differ from collection to collection. */
const createDigitIds = (collection: string): IdKind => ({
  read: (value) => (typeof value === 'string' && DIGITS.test(value) ? (value as Id) : undefined),
  toJson: String,
  compare(a, b) {
    const [one, other] = [withoutZeros(a), withoutZeros(b)]
    return one.length - other.length || compareTexts(one, other) || a.length - b.length
  },
  ...countedBy((number) => String(firstDigitsOf(collection) + number) as Id),
})

const firstDigitsOf = (collection: string) => (1000 + (hashText(collection) % 9000)) * 1000

const withoutZeros = (digits: string) => digits.replace(/^0+/, '')

export const INT64_IDS: IdKind = {
  read: parseAnyId,
  toJson: toJsonInt64,
  compare: compareIds,
  createSequence: createInt64Sequence,
}

const ZERO = '0' as Id

/** Value of `passed` while counting up from an explicit first id. */
const COUNTING_UP = -1

interface IdPosition {
  /** How many of the largest starting ids have no free id above them, or COUNTING_UP. */
  readonly passed: number
  readonly last: Id
}

/**
 * Counts up from the largest starting id; at the end of int64, from the largest id with a free one above it. `first` is the
 * id to start from instead; ids below it may have been used and deleted.
 */
export function createInt64Sequence(starting: StartingIds, first?: Id): IdSequence {
  /** Assigned ids are positive, even when a fixture has negative ones. */
  function floor(rank: number): Id {
    const id = starting.largest(rank)
    return id === undefined || compareIds(id, ZERO) < 0 ? ZERO : id
  }

  return createIdSequence<IdPosition>({
    start: first === undefined ? { passed: 0, last: floor(0) } : { passed: COUNTING_UP, last: idBefore(first) },
    after({ passed: passedBefore, last }, isChosen) {
      let passed = passedBefore
      let next = idAfter(last)
      while (next === undefined || starting.has(next) || isChosen(next)) {
        const countsUp = next !== undefined && (passed === COUNTING_UP || isChosen(next))
        if (!countsUp) passed += 1
        next = idAfter(countsUp ? (next as Id) : floor(passed))
      }
      return { passed, last: next }
    },
    idAt: ({ last }) => last,
  })
}

/**
 * Integers that a double holds exactly. New ids continue after the largest starting id; if that is the maximum, they are the
 * smallest unused ones. When no id up to the maximum is left, they exceed it.
 */
function createIntegerIds(range: IdRange): IdKind {
  const minimum = Math.max(Math.ceil(range.minimum ?? Number.MIN_SAFE_INTEGER), Number.MIN_SAFE_INTEGER)
  const maximum = Math.min(Math.floor(range.maximum ?? Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
  const step = range.multipleOf ?? 1
  const toMultiple = (number: number) => Math.ceil(number / step) * step
  /** New ids are positive if the range allows it. */
  const smallest = toMultiple(maximum < 1 ? minimum : Math.max(minimum, 1))
  const isInRange = (id: Id) => Number(id) >= minimum && Number(id) <= maximum
  return {
    read(value) {
      const id = parseAnyId(value)
      return id !== undefined && Number.isSafeInteger(Number(id)) && isInRange(id) ? id : undefined
    },
    toJson: Number,
    compare: compareIds,
    createSequence(starting, first) {
      const largest = Number(starting.largest(0) ?? smallest - 1)
      const next = toMultiple(largest + 1)
      const afterLargest = next > maximum ? smallest : Math.max(next, smallest)
      const firstNumber = first === undefined ? afterLargest : toMultiple(Number(first))
      return createCountingSequence((number) => String(number) as Id, starting, firstNumber, step)
    },
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * UUIDs of any version. New ones sort in the order in which they were made, as those of version 7 do, and are others in each
 * collection.
 */
function createUuidIds(collection: string, version: 4 | 7): IdKind {
  return {
    read: (value) => (typeof value === 'string' && UUID.test(value) ? (value as Id) : undefined),
    toJson: String,
    compare: compareTexts,
    ...countedBy((number) => uuidOf(number, collection, version)),
  }
}

/** The time of the first one, and the milliseconds from each to the next. */
const START = Date.UTC(2025, 0, 1)
const STEP = 97_613

function uuidOf(number: number, collection: string, version: 4 | 7): Id {
  const random = createRandom(number, collection)
  const draw = (digits: number) => toHex(Math.floor(random() * 16 ** digits), digits)
  const time = toHex(START + number * STEP, 12)
  const variant = toHex(8 + Math.floor(random() * 4), 1)
  const parts = [
    time.slice(0, 8),
    time.slice(8),
    `${version}${draw(3)}`,
    `${variant}${draw(3)}`,
    `${draw(6)}${draw(6)}`,
  ]
  return parts.join('-') as Id
}

const toHex = (number: number, digits: number) => number.toString(16).padStart(digits, '0')

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
function createTextIds(description: TextDescription, collection: string): IdKind {
  const { pattern } = description
  const expression = pattern === undefined ? undefined : toRegExp(pattern)
  const isAllowed = createCheck(description, expression)
  const [plain, ...patterned] = candidates(description, collection)
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
function candidates(
  description: TextDescription,
  collection: string,
): [plain: NumberedText, ...patterned: NumberedText[]] {
  const { prefix = '', pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = description
  const wanted = Math.max(USUAL_LENGTH, minLength - prefix.length)
  const length = Math.max(1, Math.min(wanted, maxLength - prefix.length, MAX_LENGTH))
  const plain = [...prefix.split(''), ...Array<string>(length).fill(LETTERS_AND_DIGITS)]
  const patterned = REPETITIONS.map((count) => (pattern === undefined ? undefined : readPattern(pattern, count)))
  const found = patterned.filter((alphabets) => alphabets !== undefined)
  return [createNumberedText(plain, collection), ...found.map((each) => createNumberedText(each, collection))]
}

export type { IdKind }

export function createIdKind(description: IdDescription, collection: string): IdKind {
  switch (description.type) {
    case 'int64':
      // Those of a range start in it.
      return description.minimum === undefined &&
        description.maximum === undefined &&
        description.multipleOf === undefined
        ? INT64_IDS
        : { ...INT64_IDS, createSequence: createIntegerIds(description).createSequence }
    case 'integer':
      return createIntegerIds(description)
    case 'uuid':
      return createUuidIds(collection, description.version ?? 7)
    case 'digits':
      return createDigitIds(collection)
    case 'text':
      return createTextIds(description, collection)
  }
}
