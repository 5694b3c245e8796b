/** The methods that the mock serves; a document may have others. */
const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'options', 'head', 'trace'] as const

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

/** An operation's `operationId`; without one, its method and path: `GET /books/{bookId}`. */
export function operationNameOf(method: string, path: string, operation: object): string {
  const { operationId } = operation as { operationId?: unknown }
  return typeof operationId === 'string' && operationId !== '' ? operationId : toMethodAndPath(method, path)
}

/**
 * The names of all operations, by method and path (`GET /books/{bookId}`). An `operationId` names only the first operation
 * that has it. `paths` are those of the document, with references to path items resolved.
 */
export function nameOperations(paths: Paths): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const [path, item] of Object.entries(paths)) {
    for (const method of METHODS) {
      const operation = item?.[method]
      if (typeof operation !== 'object' || operation === null) continue
      const key = toMethodAndPath(method, path)
      const name = operationNameOf(method, path, operation)
      names.set(key, taken.has(name) ? key : name)
      taken.add(name)
    }
  }
  return names
}

export function toMethodAndPath(method: string, path: string): string {
  return `${method.toUpperCase()} ${path}`
}
