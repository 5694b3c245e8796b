import type { Json } from '../../lib/values.js'
import { ANNOTATIONS, COMPOSITIONS } from './keywords.js'

/**
 * A schema of OpenAPI 3.0 or 3.1 as JSON Schema, so that nothing else has to know the difference: a nullable schema has the
 * type `null` or an `anyOf` with it, and bounds are numbers. Marks every int64 with a custom keyword, because Ajv's `integer`
 * works on doubles and would confuse neighbouring large ids. Every other object stays as it is.
 */
export function toJsonSchema(node: Json): Json {
  const { type, format, nullable, exclusiveMinimum, exclusiveMaximum } = node
  const isExclusive = typeof exclusiveMinimum === 'boolean' || typeof exclusiveMaximum === 'boolean'
  if (isExclusive) return toJsonSchema(withNumericBounds(node))
  if (nullable === true || nullable === false) return toJsonSchema(withoutNullable(node))
  if (Array.isArray(type)) return withTypes(node, type)
  if (type !== 'integer' || format !== 'int64') return node
  const { type: _, format: __, ...rest } = node
  return { ...rest, int64: true }
}

function withNumericBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest }: Json): Json {
  return {
    ...rest,
    ...toBound('minimum', 'exclusiveMinimum', minimum, exclusiveMinimum),
    ...toBound('maximum', 'exclusiveMaximum', maximum, exclusiveMaximum),
  }
}

function toBound(inclusive: string, exclusive: string, bound: unknown, isExclusive: unknown): Json {
  if (typeof isExclusive === 'number')
    return { ...(bound !== undefined && { [inclusive]: bound }), [exclusive]: isExclusive }
  return bound === undefined ? {} : { [isExclusive === true ? exclusive : inclusive]: bound }
}

function withoutNullable({ nullable, ...schema }: Json): Json {
  if (nullable !== true) return schema
  const values = schema.enum
  const withNull = Array.isArray(values) && !values.includes(null) ? { ...schema, enum: [...values, null] } : schema
  if (COMPOSITIONS.some((keyword) => keyword in schema)) return orNull(withNull)
  const { type } = schema
  return type === undefined ? withNull : { ...withNull, type: [...(Array.isArray(type) ? type : [type]), 'null'] }
}

function withTypes(node: Json, types: readonly unknown[]): Json {
  const [first] = types
  if (types.length === 1) return toJsonSchema({ ...node, type: first })
  const others = types.filter((type) => type !== 'null')
  const isNullableInt64 = node.format === 'int64' && others.length === 1 && others[0] === 'integer'
  return isNullableInt64 ? orNull({ ...node, type: 'integer' }) : node
}

function orNull(schema: Json): Json {
  const annotations = Object.entries(schema).filter(([keyword]) => ANNOTATIONS.includes(keyword))
  return { ...Object.fromEntries(annotations), anyOf: [schema, { type: 'null' }] }
}
