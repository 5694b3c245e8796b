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
  readonly int64?: true
}

/** Includes the properties of its `allOf` parts. */
export function propertiesOf(schema: Schema): Record<string, Schema> {
  return collectProperties(schema, new Set())
}

function collectProperties(schema: Schema, passed: Set<Schema>): Record<string, Schema> {
  if (passed.has(schema)) return {}
  passed.add(schema)
  const { allOf = [], properties } = nonNullOf(schema)
  return Object.assign({}, ...allOf.map((part) => collectProperties(part, passed)), properties)
}

/** The schema of the values that are not null, if a choice between it and null is all that the schema says. */
export function nonNullOf(schema: Schema): Schema {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices?.length !== 2 || !choices.some(isNull)) return schema
  const others = choices.filter((choice) => !isNull(choice))
  return others.length === 1 && Object.keys(schema).every(isNeutral) ? (others[0] as Schema) : schema
}

const isNull = (schema: Schema) => schema.type === 'null'

const isNeutral = (keyword: string) => NEUTRAL.includes(keyword) || keyword.startsWith('x-')

const NEUTRAL = [
  ...['anyOf', 'oneOf', 'title', 'description', 'default', 'example', 'examples', 'readOnly', 'writeOnly'],
  ...['deprecated', 'discriminator'],
]

/** The only type of values that are not null; undefined if there are several, or none is given. */
export function typeOf(schema: Schema): string | undefined {
  const { type } = nonNullOf(schema)
  if (!Array.isArray(type)) return type as string | undefined
  const types = type.filter((each) => each !== 'null')
  return types.length === 1 ? types[0] : undefined
}
