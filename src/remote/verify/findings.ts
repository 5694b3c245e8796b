import { stringifyJson } from '../../lib/json.js'
import type { OperationId } from '../../petstore/types.js'

/** One way in which a service differs from the contract. */
export interface Difference {
  /** The operation that responded. */
  readonly operation: OperationId
  /** What differs: `status 201→200`, `header Location`, `body /name`, `query sort` … */
  readonly aspect: string
  /** The request. */
  readonly sent: string
  readonly expected: string
  readonly received: string
}

/** Notes that a response differs from the contract. */
export type Note = (aspect: string, expected: string, received: string) => void

/** A difference as it was first found, and all checks that found it. */
export interface Finding extends Omit<Difference, 'operation'> {
  readonly checks: readonly string[]
}

export type Findings = ReturnType<typeof createFindings>

/** All differences found so far. One with the same operation and aspect as another is the same. */
export function createFindings() {
  const found = new Map<string, Difference & { readonly checks: string[] }>()
  let current = ''
  return {
    /** Further differences are found by this check. */
    start(check: string): void {
      current = check
    },
    add(difference: Difference): void {
      const key = `${difference.operation} ${difference.aspect}`
      const finding = found.get(key) ?? { ...difference, checks: [] }
      if (!finding.checks.includes(current)) finding.checks.push(current)
      found.set(key, finding)
    },
    has: (operation: OperationId, aspect: string): boolean => found.has(`${operation} ${aspect}`),
    of: (id: OperationId): Finding[] =>
      [...found.values()].flatMap(({ operation, ...finding }) => (operation === id ? [finding] : [])),
  }
}

/** Notes differences in a body by JSON pointer, the same for all items of a list. */
export function inBody(note: Note, isError = false): Note {
  return (pointer, ...rest) => {
    const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
    note(`${isError ? 'error body' : 'body'} ${place}`.trimEnd(), ...rest)
  }
}

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
