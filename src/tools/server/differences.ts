import { stringifyJson } from '../../lib/json.js'

/** One way in which a service differs from the contract. */
export interface Difference {
  /** The operation that responded. */
  readonly operation: string
  /** What differs: `status 201→200`, `header Location`, `body /name`, `query sort` … */
  readonly aspect: string
  /** The request. */
  readonly sent: string
  readonly expected: string
  readonly received: string
}

/** Notes that a response differs from the contract. */
export type Note = (aspect: string, expected: string, received: string) => void

const MAX_SHOWN = 120

export function shorten(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** A value as JSON, shortened. */
export function show(value: unknown): string {
  return shorten(value === undefined ? 'nothing' : (stringifyJson(value) ?? String(value)))
}

export const NO_HEADER = 'no such header'

export function showHeader(value: string | null): string {
  return value === null ? NO_HEADER : shorten(value)
}
