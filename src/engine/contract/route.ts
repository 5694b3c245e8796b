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
export interface Route {
  readonly operations: ReadonlyMap<string, DocumentOperation>
  readonly allow: string
}

export interface RouteMatch {
  readonly route: Route
  /** The values of the path parameters, in the order of the path. */
  readonly values: readonly string[]
}

export function operationIdOf(operation: DocumentOperation): string {
  const { operationId, method, path } = operation
  if (operationId === undefined) throw new Error(`${method} ${path} of the OpenAPI document has no operationId.`)
  return operationId
}
