const PARAMETER = /\{([^{}]+)\}/g

/** The names of the parameters in a path or in one of its segments. */
export function parameterNamesOf(path: string): string[] {
  return Array.from(path.matchAll(PARAMETER), ([, name = '']) => name)
}

/** Whether the segment is one parameter and nothing else: `{bookId}`. */
export function isWholeParameter(segment: string): boolean {
  return /^\{[^{}]+\}$/.test(segment)
}

/**
 * Reads the segments that a segment with parameters stands for, such as `{from}-{to}.json`: returns the texts of the
 * parameters in order, none of them empty and each as short as possible, or undefined if the segment is another one.
 */
export function compileSegment(template: string): (segment: string) => string[] | undefined {
  // The parts alternate: a literal, a name, a literal.
  const literals = template.split(PARAMETER).filter((_, index) => index % 2 === 0)
  const [first = '', ...others] = literals
  const last = others.at(-1) ?? ''
  return (segment) => {
    if (!segment.startsWith(first)) return undefined
    let from = first.length
    const texts: string[] = []
    for (const literal of others.slice(0, -1)) {
      const to = segment.indexOf(literal, from + 1)
      if (to < 0) return undefined
      texts.push(segment.slice(from, to))
      from = to + literal.length
    }
    const end = segment.length - last.length
    if (end <= from || !segment.endsWith(last)) return undefined
    return [...texts, segment.slice(from, end)]
  }
}

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
  /** Segments that contain parameters, such as `{bookId}.json`, by how the document writes them. */
  patterns?: Map<string, PatternBranch<O>>
  parameter?: RouteTree<O>
  route?: Route<O>
}

interface PatternBranch<O extends DocumentOperation> {
  readonly read: (segment: string) => readonly string[] | undefined
  readonly tree: RouteTree<O>
}

export function compileRoutes<O extends DocumentOperation>(operations: readonly O[]): RouteTree<O> {
  const root: RouteTree<O> = { literals: new Map() }
  // Paths can differ in the names of their parameters only.
  const byLeaf = new Map<RouteTree<O>, O[]>()
  for (const operation of operations) {
    const leaf = leafFor(root, operation.path)
    const others = byLeaf.get(leaf)
    if (others) others.push(operation)
    else byLeaf.set(leaf, [operation])
  }
  for (const [leaf, routed] of byLeaf) leaf.route = compileRoute(routed)
  return root
}

/** A literal segment takes precedence over one with parameters inside, and that over a parameter. */
export function findRoute<O extends DocumentOperation>(
  { literals, patterns, parameter, route }: RouteTree<O>,
  segments: readonly string[],
  depth = 0,
): Route<O> | undefined {
  const segment = segments[depth]
  if (segment === undefined) return route
  const literal = literals.get(segment)
  const found = literal && findRoute(literal, segments, depth + 1)
  if (found) return found
  for (const { read, tree } of patterns?.values() ?? []) {
    const matched = read(segment) && findRoute(tree, segments, depth + 1)
    if (matched) return matched
  }
  return parameter === undefined || segment === '' ? undefined : findRoute(parameter, segments, depth + 1)
}

function leafFor<O extends DocumentOperation>(root: RouteTree<O>, path: string): RouteTree<O> {
  let node = root
  for (const segment of path.split('/').slice(1)) node = branchFor(node, segment)
  return node
}

function branchFor<O extends DocumentOperation>(node: RouteTree<O>, segment: string): RouteTree<O> {
  if (isWholeParameter(segment)) {
    node.parameter ??= { literals: new Map() }
    return node.parameter
  }
  if (parameterNamesOf(segment).length > 0) {
    node.patterns ??= new Map()
    const branch = node.patterns.get(segment) ?? { read: compileSegment(segment), tree: { literals: new Map() } }
    node.patterns.set(segment, branch)
    return branch.tree
  }
  const next: RouteTree<O> = node.literals.get(segment) ?? { literals: new Map() }
  node.literals.set(segment, next)
  return next
}

function compileRoute<O extends DocumentOperation>(operations: readonly O[]): Route<O> {
  const byMethod = new Map<string, O>()
  for (const operation of operations) {
    const methods = operation.method === 'get' ? ['GET', 'HEAD'] : [operation.method.toUpperCase()]
    for (const method of methods) if (!byMethod.has(method)) byMethod.set(method, operation)
  }
  return { operations: byMethod, allow: [...byMethod.keys(), 'OPTIONS'].join(', ') }
}
