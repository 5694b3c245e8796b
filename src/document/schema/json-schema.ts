import type { Discriminator } from './discriminator.js'

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
  /** Custom: replaces `type: integer, format: int64`. See to-json-schema.ts. */
  readonly int64?: boolean
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

/** Whether a list of values contains an equal one. Members of objects must be in the same sequence. */
export function includesValue(values: readonly unknown[], value: unknown): boolean {
  return values.includes(value) || (value instanceof Object && values.map(toKey).includes(toKey(value)))
}

/** The same text for equal values, if their members are in the same sequence. */
export function toKey(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)) ?? 'undefined'
}
