/**
 * An operation of an OpenAPI document, with its path and method. Not openapi-backend's type: our published types refer to
 * this one, and users do not have that package installed.
 */
export interface DocumentOperation {
  readonly path: string
  readonly method: string
  readonly operationId?: string
  readonly parameters?: readonly unknown[]
  readonly requestBody?: unknown
  readonly responses?: object
}

/** A path of the document: its operations by method, and its `Allow` header. */
export interface Route<O extends DocumentOperation = DocumentOperation> {
  /** GET also handles HEAD. */
  readonly operations: ReadonlyMap<string, O>
  readonly allow: string
}

export function operationIdOf(operation: DocumentOperation): string {
  const { operationId, method, path } = operation
  if (operationId === undefined) throw new Error(`${method} ${path} of the OpenAPI document has no operationId.`)
  return operationId
}

/** The paths of a document, a level for each segment. */
export interface RouteTree<O extends DocumentOperation> {
  readonly literals: Map<string, RouteTree<O>>
  parameter?: RouteTree<O>
  route?: Route<O>
}

export function compileRoutes<O extends DocumentOperation>(operations: readonly O[]): RouteTree<O> {
  const root: RouteTree<O> = { literals: new Map() }
  for (const path of new Set(operations.map((operation) => operation.path))) {
    leafFor(root, path).route = compileRoute(operations.filter((operation) => operation.path === path))
  }
  return root
}

/** A literal segment takes precedence over a parameter, which is tried if the literal does not match. */
export function findRoute<O extends DocumentOperation>(
  { literals, parameter, route }: RouteTree<O>,
  segments: readonly string[],
  depth = 0,
): Route<O> | undefined {
  const segment = segments[depth]
  if (segment === undefined) return route
  const literal = literals.get(segment)
  const found = literal && findRoute(literal, segments, depth + 1)
  if (found || parameter === undefined || segment === '') return found
  return findRoute(parameter, segments, depth + 1)
}

function leafFor<O extends DocumentOperation>(root: RouteTree<O>, path: string): RouteTree<O> {
  let node = root
  for (const segment of path.split('/').slice(1)) {
    if (/^\{[^{}]+\}$/.test(segment)) {
      node.parameter ??= { literals: new Map() }
      node = node.parameter
      continue
    }
    if (segment.includes('{'))
      throw new Error(`The path ${path} of the OpenAPI document has a parameter inside a segment.`)
    const next: RouteTree<O> = node.literals.get(segment) ?? { literals: new Map() }
    node.literals.set(segment, next)
    node = next
  }
  return node
}

function compileRoute<O extends DocumentOperation>(operations: readonly O[]): Route<O> {
  const byMethod = new Map(
    operations.flatMap((operation) => {
      const methods = operation.method === 'get' ? ['GET', 'HEAD'] : [operation.method.toUpperCase()]
      return methods.map((method) => [method, operation])
    }),
  )
  return { operations: byMethod, allow: [...byMethod.keys(), 'OPTIONS'].join(', ') }
}
