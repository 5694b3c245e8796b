import type { Document, Operation as DocumentOperation } from 'openapi-backend'
// Only this file: the whole package would load Ajv.
import { OpenAPIRouter } from 'openapi-backend/router.js'
import { operationIdOf, type Route, type RouteMatch } from './route.js'

interface Node {
  readonly literals: Map<string, Node>
  parameter?: Node
  route?: Route
}

/**
 * openapi-backend's router flattens the document and builds a pattern for each operation at every request. This one does it
 * once, and matches decoded segments exactly.
 */
export class CompiledRouter extends OpenAPIRouter {
  readonly #operations: DocumentOperation[]
  readonly #byId: ReadonlyMap<string, DocumentOperation>
  readonly #root: Node

  constructor(definition: Document) {
    super({ definition, ignoreTrailingSlashes: false })
    this.#operations = flatten(definition)
    this.#byId = new Map(this.#operations.map((operation) => [operationIdOf(operation), operation]))
    this.#root = compileTree(this.#operations)
  }

  override getOperations(): DocumentOperation[] {
    return this.#operations
  }

  override getOperation(operationId: string): DocumentOperation | undefined {
    return this.#byId.get(operationId)
  }

  /** The segments are decoded. */
  match(segments: readonly string[]): RouteMatch | undefined {
    return find(this.#root, segments, 0, [])
  }
}

/** A literal segment takes precedence over a parameter, which is tried if the literal does not match. */
function find(node: Node, segments: readonly string[], depth: number, values: string[]): RouteMatch | undefined {
  const segment = segments[depth]
  if (segment === undefined) return node.route && { route: node.route, values }
  const literal = node.literals.get(segment)
  const found = literal && find(literal, segments, depth + 1, values)
  if (found || node.parameter === undefined || segment === '') return found
  values.push(segment)
  const match = find(node.parameter, segments, depth + 1, values)
  if (match === undefined) values.pop()
  return match
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

/** Like the base class, which would load all of lodash for it. */
function flatten({ paths = {}, security = [] }: Document): DocumentOperation[] {
  return Object.entries(paths).flatMap(([path, item = {}]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      if (operation === undefined) return []
      const parameters = [...(operation.parameters ?? []), ...(item.parameters ?? [])]
      return [{ security, ...operation, path, method, parameters } as DocumentOperation]
    }),
  )
}

function compileTree(operations: readonly DocumentOperation[]): Node {
  const root: Node = { literals: new Map() }
  for (const path of new Set(operations.map((operation) => operation.path))) {
    leafFor(root, path).route = compileRoute(operations.filter((operation) => operation.path === path))
  }
  return root
}

function leafFor(root: Node, path: string): Node {
  let node = root
  for (const segment of path.split('/').slice(1)) {
    if (/^\{[^{}]+\}$/.test(segment)) {
      node.parameter ??= { literals: new Map() }
      node = node.parameter
      continue
    }
    if (segment.includes('{'))
      throw new Error(`The path ${path} of the OpenAPI document has a parameter inside a segment.`)
    const next: Node = node.literals.get(segment) ?? { literals: new Map() }
    node.literals.set(segment, next)
    node = next
  }
  return node
}

function compileRoute(operations: readonly DocumentOperation[]): Route {
  const byMethod = new Map(operations.map((operation) => [operation.method.toUpperCase(), operation]))
  const methods = [...byMethod.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return { operations: byMethod, allow: [...methods, 'OPTIONS'].join(', ') }
}
