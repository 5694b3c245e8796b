import { stringifyJson } from '../../lib/json.js'

/** Throws if one is not a number: what was saved may be damaged, or of another version. */
export function requireNumbers(...values: unknown[]): void {
  if (!values.every(Number.isFinite)) throw new TypeError('A number is missing.')
}

/** Whether two values have the same members in the same order. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return stringifyJson(one) === stringifyJson(other)
}
