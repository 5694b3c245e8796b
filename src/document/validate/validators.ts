import type { Schema } from '../schema/schema.js'

/** How a value violates a schema. The part of Ajv's error that the compiled code provides. */
export interface Violation {
  /** A JSON pointer into the value. */
  readonly instancePath: string
  /** Set if it is the name of this property that violates the schema. */
  readonly propertyName?: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
  /** The schema that has the keyword, and the value that violates it. */
  readonly parentSchema: Schema
  readonly data: unknown
  /** Why it fits none of several choices, or more than one, as it reads after what it is. Only of documents. */
  readonly fit?: string
}

/** A schema compiled by Ajv. Each call replaces `errors`. */
export interface Validate {
  (value: unknown): boolean
  errors?: readonly Violation[] | null
}

/** The validators of one operation, as openapi-backend's validator holds them. */
export interface OperationValidators {
  /** For `{ requestBody }` if the operation has a body; then, always, for `{ path, query }`. */
  readonly request: readonly Validate[]
  /** By status, or `default`. Responses that are not JSON have no validator. */
  readonly responses: Readonly<Record<string, Validate>>
}

/** The validators of one OpenAPI document, compiled at build time: compiling requires Ajv, time and `eval`. */
export interface Validators {
  /** By operationId. They report every violation. */
  readonly operations: Readonly<Record<string, OperationValidators>>
  /** By name. They report every violation, too. */
  readonly schemas: Readonly<Record<string, Validate>>
}
