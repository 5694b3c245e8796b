/**
 * A schema of OpenAPI 3.0 or 3.1 with every reference resolved. One that contains itself is a cyclic object. `true` allows
 * everything, `false` nothing.
 */
export type AnySchema = JsonSchema | boolean

export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly nullable?: boolean
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly allOf?: readonly AnySchema[]
  readonly oneOf?: readonly AnySchema[]
  readonly anyOf?: readonly AnySchema[]
  readonly not?: AnySchema
  readonly discriminator?: Discriminator
  readonly properties?: Readonly<Record<string, AnySchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: AnySchema
  readonly patternProperties?: Readonly<Record<string, AnySchema>>
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: AnySchema
  readonly prefixItems?: readonly AnySchema[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  /** A boolean in OpenAPI 3.0. */
  readonly exclusiveMinimum?: number | boolean | undefined
  readonly exclusiveMaximum?: number | boolean | undefined
  readonly multipleOf?: number
  readonly example?: unknown
  readonly examples?: unknown
  readonly default?: unknown
  readonly readOnly?: boolean
  readonly writeOnly?: boolean
  /** Custom: replaces `type: integer, format: int64`. See engine/contract/document.ts. */
  readonly int64?: true
}

export interface Discriminator {
  readonly propertyName: string
  readonly mapping?: Readonly<Record<string, string>>
  /** What the document refers to in each branch of `oneOf`. */
  readonly references?: readonly unknown[]
}

/** The types that a schema names itself. Empty if it does not name any. */
export function typesOf({ type, int64 }: JsonSchema): readonly string[] {
  if (type === undefined) return int64 ? ['integer'] : []
  return typeof type === 'string' ? [type] : type
}

/** The bounds of a number. Those of OpenAPI 3.0, which has booleans there, become those of 3.1. */
export interface Bounds {
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly exclusiveMinimum: number | undefined
  readonly exclusiveMaximum: number | undefined
}

export function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): Bounds {
  return {
    minimum: exclusiveMinimum === true ? undefined : minimum,
    maximum: exclusiveMaximum === true ? undefined : maximum,
    exclusiveMinimum: toExclusive(exclusiveMinimum, minimum),
    exclusiveMaximum: toExclusive(exclusiveMaximum, maximum),
  }
}

function toExclusive(exclusive: number | boolean | undefined, bound: number | undefined): number | undefined {
  if (typeof exclusive === 'number') return exclusive
  return exclusive ? bound : undefined
}

/** Whether values may be objects or lists, as far as a schema says so itself. */
export function isContainer(schema: AnySchema): boolean {
  if (typeof schema === 'boolean') return false
  const types = typesOf(schema)
  if (types.length > 0) return types.includes('object') || types.includes('array')
  return [schema.properties, schema.items, schema.allOf, schema.oneOf, schema.anyOf].some(Boolean)
}

/** Whether a schema is nothing but `null`, as one branch of `anyOf` often is. */
export function isOnlyNull(schema: AnySchema): boolean {
  if (typeof schema === 'boolean') return false
  if (schema.const === null) return true
  const types = typesOf(schema)
  return types.length > 0 && types.every((type) => type === 'null')
}

/** Whether `null` is one of the values that a schema allows, as far as it says so. */
export function isNullable(schema: AnySchema): boolean {
  if (typeof schema === 'boolean') return schema
  if (schema.nullable === true || isOnlyNull(schema)) return true
  if (typesOf(schema).includes('null')) return schema.enum?.includes(null) ?? true
  return [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].some(isOnlyNull)
}

/** Whether a list of values contains an equal one. Members of objects must be in the same sequence. */
export function includesValue(values: readonly unknown[], value: unknown): boolean {
  return values.includes(value) || (value instanceof Object && values.map(toKey).includes(toKey(value)))
}

/** The same text for equal values, if their members are in the same sequence. */
export function toKey(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)) ?? 'undefined'
}
