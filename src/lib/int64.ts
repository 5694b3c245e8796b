/**
 * The id of a record as a string, whatever its kind. A 64-bit integer is a canonical decimal string: a number cannot hold
 * every int64 exactly; a string can, works as a key, and is written to responses digit by digit.
 */
declare const id: unique symbol
export type Id = string & { readonly [id]: true }

/** An id as a request or a person writes it: `1` and `'1'` are the same. */
export type AnyId = string | number | bigint

/** An int64 as `parseJson` returns it: a number if that is exact, otherwise a bigint. */
export type JsonInt64 = number | bigint

const MAX = '9223372036854775807'
const MIN = '-9223372036854775808'
const CANONICAL = /^(?:0|-?[1-9][0-9]{0,18})$/

export const MAX_ID = MAX as Id

/** Accepts only the canonical form: no plus sign, leading zero, space, exponent or other base. */
export function parseId(text: string): Id | undefined {
  return CANONICAL.test(text) && isInRange(text) ? (text as Id) : undefined
}

/** Accepts a canonical string, a bigint or a safe integer. */
export function parseAnyId(value: unknown): Id | undefined {
  if (typeof value === 'string') return parseId(value)
  return isInt64(value) ? toId(value) : undefined
}

/** Equal for equal ids, however they are written. In a large map, numbers take less time and memory than strings. */
export type IdKey = number | Id

export function toIdKey(value: unknown): IdKey | undefined {
  if (Number.isSafeInteger(value)) return value as number
  const id = parseAnyId(value)
  if (id === undefined) return undefined
  const number = Number(id)
  return Number.isSafeInteger(number) ? number : id
}

export function isInt64(value: unknown): value is JsonInt64 {
  if (typeof value === 'number') return Number.isSafeInteger(value)
  return typeof value === 'bigint' && parseId(String(value)) !== undefined
}

/** The caller has checked the value with `isInt64`. */
export function toId(value: JsonInt64): Id {
  return String(value) as Id
}

/** A number if that is exact, otherwise a bigint. */
export function toJsonInt64(value: Id): JsonInt64 {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value)
}

/** Numeric order. Comparing sign, length and digits is cheaper than converting to bigint. */
export function compareIds(a: Id, b: Id): number {
  if (a === b) return 0
  const negative = a.charCodeAt(0) === MINUS
  if (negative !== (b.charCodeAt(0) === MINUS)) return negative ? -1 : 1
  const larger = a.length === b.length ? a > b : a.length > b.length
  return larger === negative ? -1 : 1
}

/** The next id, or undefined at the end of the range. */
export function idAfter(value: Id): Id | undefined {
  const number = Number(value)
  if (Number.isSafeInteger(number) && number < Number.MAX_SAFE_INTEGER) return String(number + 1) as Id
  return value === MAX ? undefined : (String(BigInt(value) + 1n) as Id)
}

/** For positive ids only. */
export function idBefore(value: Id): Id {
  return String(BigInt(value) - 1n) as Id
}

const MINUS = 45

function isInRange(canonical: string): boolean {
  const limit = canonical.charCodeAt(0) === MINUS ? MIN : MAX
  return canonical.length < limit.length || canonical <= limit
}
