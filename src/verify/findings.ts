import type { StoreOperationId } from '../engine/contract/types.js'

/** One thing in which a service is not as the contract says. */
export interface Difference {
  /** The operation that answered. */
  readonly operation: StoreOperationId
  /** What it is about: `status 201→200`, `header Location`, `body /name`, `query sort` … */
  readonly aspect: string
  /** The request that showed it. */
  readonly sent: string
  readonly expected: string
  readonly received: string
}

/** A difference as the first check met it, and all checks that ran into it. */
export interface Finding extends Omit<Difference, 'operation'> {
  readonly checks: readonly string[]
}

/** Keeps each difference once: operation and aspect tell it from the others. */
export interface Findings {
  add(difference: Difference, check: string): void
  has(operation: StoreOperationId, aspect: string): boolean
  of(operation: StoreOperationId): Finding[]
}

export function createFindings(): Findings {
  const found = new Map<StoreOperationId, Map<string, Finding>>()
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

/** The place in a body that a JSON pointer names, the same for all items of a list. */
export function bodyAspect(pointer: string, isError = false): string {
  const place = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
  return `${isError ? 'error body' : 'body'} ${place}`.trimEnd()
}
