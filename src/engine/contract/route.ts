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
