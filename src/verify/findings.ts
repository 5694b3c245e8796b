import type { OperationId } from '../petstore/types.js'

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

/** All differences found so far. One with the same operation and aspect as another is the same. */
export interface Findings {
  add(difference: Difference, check: string): void
  has(operation: OperationId, aspect: string): boolean
  of(operation: OperationId): Finding[]
}

export function createFindings(): Findings {
  const found = new Map<OperationId, Map<string, Finding>>()
  return {
    add({ operation, ...difference }, check) {
      const own = found.get(operation) ?? new Map<string, Finding>()
      const { checks, ...known } = own.get(difference.aspect) ?? { ...difference, checks: [] }
      own.set(difference.aspect, { ...known, checks: checks.includes(check) ? checks : [...checks, check] })
      found.set(operation, own)
    },
    has: (operation, aspect) => found.get(operation)?.has(aspect) ?? false,
    of: (operation) => [...(found.get(operation)?.values() ?? [])],
  }
}

/** Notes differences in a body by JSON pointer, the same for all items of a list. */
export function inBody(note: Note, isError = false): Note {
  return (pointer, ...rest) => {
    const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
    note(`${isError ? 'error body' : 'body'} ${place}`.trimEnd(), ...rest)
  }
}
