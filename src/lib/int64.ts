/**
 * The one place that knows how a 64-bit integer is spelled, compared and counted.
 *
 * A double cannot hold an int64, so inside the mock an id is its canonical decimal spelling: exact over the whole
 * range, usable as a key, and written into answers digit for digit.
 */
declare const id: unique symbol
export type Id = string & { readonly [id]: true }

/** An int64 as the JSON reader hands it over: a number where a double is exact, a bigint beyond. */
export type JsonInt64 = number | bigint

const MAX = '9223372036854775807'
const MIN = '-9223372036854775808'
const CANONICAL = /^(?:0|-?[1-9][0-9]{0,18})$/

export const MAX_ID = MAX as Id

/** Reads the canonical spelling and nothing else: no plus, no leading zero, no blank, no exponent, no other base. */
export function parseId(text: string): Id | undefined {
  return CANONICAL.test(text) && isInRange(text) ? (text as Id) : undefined
}

/** Reads any spelling of an id that JavaScript has: canonical digits, a bigint, or a number that is exact. */
export function parseAnyId(value: unknown): Id | undefined {
  if (typeof value === 'string') return parseId(value)
  return isInt64(value) ? toId(value) : undefined
}

export function isInt64(value: unknown): value is JsonInt64 {
  if (typeof value === 'number') return Number.isSafeInteger(value)
  return typeof value === 'bigint' && parseId(String(value)) !== undefined
}

/** The caller has checked the value with `isInt64`. */
export function toId(value: JsonInt64): Id {
  return String(value) as Id
}

/** The same integer for a reader of JSON values: a number where that is exact. */
export function toJsonInt64(value: Id): JsonInt64 {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value)
}

/** Numeric order, without the cost of a bigint: canonical spellings compare by sign, length and digits. */
export function compareIds(a: Id, b: Id): number {
  if (a === b) return 0
  const negative = a.charCodeAt(0) === MINUS
  if (negative !== (b.charCodeAt(0) === MINUS)) return negative ? -1 : 1
  const larger = a.length === b.length ? a > b : a.length > b.length
  return larger === negative ? -1 : 1
}

/** The id that follows, or undefined past the end of the range. */
export function idAfter(value: Id): Id | undefined {
  const number = Number(value)
  if (Number.isSafeInteger(number) && number < Number.MAX_SAFE_INTEGER) return String(number + 1) as Id
  return value === MAX ? undefined : (String(BigInt(value) + 1n) as Id)
}

/** The id in front of a positive one. */
export function idBefore(value: Id): Id {
  return String(BigInt(value) - 1n) as Id
}

const MINUS = 45

function isInRange(canonical: string): boolean {
  const limit = canonical.charCodeAt(0) === MINUS ? MIN : MAX
  return canonical.length < limit.length || canonical <= limit
}
