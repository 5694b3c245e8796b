/** The part of an OpenAPI 3.0 schema that this project's documents use, with every reference resolved. */
export interface Schema {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly allOf?: readonly Schema[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  /** Ours: stands for `type: integer, format: int64`, which Ajv cannot check exactly on doubles. */
  readonly int64?: true
}

/** The properties of an object schema, those of its `allOf` parts included. */
export function propertiesOf(schema: Schema): Record<string, Schema> {
  return Object.assign({}, ...(schema.allOf ?? []).map(propertiesOf), schema.properties)
}

/** What a schema asks for, as it reads after "must be". */
export function describeSchema(schema: Schema): string {
  if (schema.enum) return `one of ${schema.enum.join(', ')}`
  if (schema.int64) return 'a 64-bit integer'
  if (schema.format === 'date-time') return 'an RFC 3339 date-time such as 2026-03-31T09:30:00Z'
  switch (schema.type) {
    case 'integer':
      return `an integer${describeRange(schema)}`
    case 'array':
      return `a list, each item ${describeSchema(schema.items ?? {})}`
    case 'object':
      return 'an object'
    case 'null':
      return 'left out'
    case undefined:
      return schema.properties || schema.allOf ? 'an object' : 'any value'
    default:
      return `a ${schema.type}`
  }
}

function describeRange({ minimum, maximum }: Schema): string {
  const least = minimum ?? Number.MIN_SAFE_INTEGER
  return ` from ${least} to ${maximum ?? Number.MAX_SAFE_INTEGER}`
}
