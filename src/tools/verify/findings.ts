import type { Difference, Note } from '../server/differences.js'

/** A difference as it was first found, and all checks that found it. */
export interface Finding extends Omit<Difference, 'operation'> {
  readonly checks: readonly string[]
}

export interface Findings {
  /** Further differences are found by this check. */
  start(check: string): void
  add(difference: Difference): void
  /** Fields of a response that the OpenAPI document does not have. It does not forbid them. */
  addUndeclared(operation: string, names: readonly string[]): void
  undeclaredOf(operation: string): string[]
  has(operation: string, aspect: string): boolean
  of(id: string): Finding[]
}

/** So that a service cannot fill the memory with names. */
const MAX_FIELDS = 50

/**
 * All differences found so far. One with the same operation and aspect as another is the same. Those in
 * `ignoredHeaders` do not count.
 */
export function createFindings(ignoredHeaders: readonly string[] = []): Findings {
  const ignored = ignoredHeaders.map((name) => `header ${name}`)
  const undeclared = new Map<string, Set<string>>()
  const found = new Map<string, Difference & { readonly checks: string[] }>()
  let current = ''
  return {
    start(check: string): void {
      current = check
    },
    add(difference: Difference): void {
      if (ignored.includes(difference.aspect)) return
      const key = `${difference.operation} ${difference.aspect}`
      const finding = found.get(key) ?? { ...difference, checks: [] }
      if (!finding.checks.includes(current)) finding.checks.push(current)
      found.set(key, finding)
    },
    addUndeclared(operation: string, names: readonly string[]): void {
      const all = undeclared.get(operation) ?? new Set()
      for (const name of names) if (all.size < MAX_FIELDS) all.add(name)
      if (all.size > 0) undeclared.set(operation, all)
    },
    undeclaredOf: (operation: string): string[] => [...(undeclared.get(operation) ?? [])],
    has: (operation: string, aspect: string): boolean => found.has(`${operation} ${aspect}`),
    of: (id: string): Finding[] =>
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
