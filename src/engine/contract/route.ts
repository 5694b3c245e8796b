/**
 * An operation as the document has it, with its place: what this project reads of it. Not openapi-backend's type, since
 * the published types lead here and whoever uses them does not have that package.
 */
export interface DocumentOperation {
  readonly path: string
  readonly method: string
  readonly operationId?: string
  readonly parameters?: readonly unknown[]
  readonly requestBody?: unknown
  readonly responses?: object
}

/** A path of the document: the operations it offers by method, and the `Allow` header that lists them. */
export interface Route {
  readonly operations: ReadonlyMap<string, DocumentOperation>
  readonly allow: string
}

export interface RouteMatch {
  readonly route: Route
  /** The values of the path's parameters, in the order of the path. */
  readonly values: readonly string[]
}

export function operationIdOf(operation: DocumentOperation): string {
  const { operationId, method, path } = operation
  if (operationId === undefined) throw new Error(`the document gives ${method} ${path} no operationId`)
  return operationId
}
