import type { Discriminator } from './discriminator.js'

/**
 * A JSON Schema, as `resolveDocument` makes it from one of OpenAPI 3.0 or 3.1: with every reference resolved, so that a
 * schema which contains itself is a cyclic object. These are the keywords that the engine reads.
 */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly not?: Schema | boolean
  readonly propertyNames?: Schema | boolean
  readonly const?: unknown
  readonly default?: unknown
  readonly example?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
  readonly pattern?: string
  readonly discriminator?: Discriminator
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  readonly contentMediaType?: string
  /** Custom: what a `pattern` requires, as it reads after "must be". */
  readonly 'x-in-words'?: string
  /** Custom: replaces `type: integer, format: int64`, which Ajv cannot check exactly on doubles. */
  readonly int64?: boolean
}

/** A schema, and where the document has it. */
export interface SchemaPlace {
  /** A JSON pointer: `#/components/schemas/Book` if it is a named one, else its place below `#/paths`. */
  readonly pointer: string
  readonly schema: Schema
}
