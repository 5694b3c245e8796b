import { isPlainObject } from '../../lib/values.js'
import type { Discriminator } from './discriminator.js'
import { ownTypesOf, shapeByExample } from './facts.js'
import { type AnySchema, type Bounds, boundsOf, includesValue, type JsonSchema } from './json-schema.js'
import type { Schema } from './schema.js'

/** A schema without `allOf`, `oneOf` and `anyOf`: what all its parts require together. */
export interface FlatSchema
  extends Omit<JsonSchema, 'allOf' | 'oneOf' | 'anyOf' | 'type' | keyof Bounds>,
    Partial<Bounds> {
  /** Empty if any type is allowed. */
  readonly types: readonly string[]
  /** The only allowed names, if some part has `additionalProperties: false`. */
  readonly allowed?: readonly string[] | undefined
  /** The value of the discriminator's property. */
  readonly discriminated?: Readonly<Record<string, string>> | undefined
}

/** By schema: the values of a record and its checks visit each many times. */
const known = new WeakMap<JsonSchema, FlatSchema>()

/** The keywords of a schema without those of its parts. */
export function ownKeywords(schema: JsonSchema): FlatSchema {
  const flat = known.get(schema) ?? readKeywords(schema)
  known.set(schema, flat)
  return flat
}

function readKeywords(schema: JsonSchema): FlatSchema {
  const { allOf, oneOf, anyOf, type, discriminator: given, ...own } = schema
  const discriminator = readDiscriminator(given)
  const isClosed = own.additionalProperties === false && own.patternProperties === undefined
  return withoutUndefined({
    ...own,
    ...(shapeByExample(schema as Schema) as JsonSchema | undefined),
    ...boundsOf(schema),
    types: ownTypesOf(schema),
    discriminator,
    allowed: isClosed ? Object.keys(own.properties ?? {}) : undefined,
  })
}

/** In Swagger 2 it is the name of the property alone. */
function readDiscriminator(given: unknown): Discriminator | undefined {
  if (typeof given === 'string') return { propertyName: given }
  if (!isPlainObject(given) || typeof given.propertyName !== 'string') return undefined
  const mapping = isPlainObject(given.mapping) ? Object.entries(given.mapping) : []
  const named = mapping.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const { references } = given as Partial<Discriminator>
  return { propertyName: given.propertyName, mapping: Object.fromEntries(named), ...(references && { references }) }
}

/** What two schemas require together. Where that cannot be expressed, such as two patterns, the first one wins. */
export function mergeSchemas(a: FlatSchema, b: FlatSchema): FlatSchema {
  const merged: Record<string, unknown> = { ...b, ...a }
  for (const [keyword, merge] of Object.entries(MERGE)) {
    const [first, second] = [a[keyword as keyof FlatSchema], b[keyword as keyof FlatSchema]]
    if (first !== undefined && second !== undefined) merged[keyword] = merge(first as never, second as never)
  }
  return merged as unknown as FlatSchema
}

const larger = (a: number, b: number) => Math.max(a, b)
const smaller = (a: number, b: number) => Math.min(a, b)
const both = (a: AnySchema, b: AnySchema): AnySchema => (a === b ? a : { allOf: [a, b] })
const members = <Value>(a: Record<string, Value>, b: Record<string, Value>) => ({ ...b, ...a })

const MERGE = {
  types: mergeTypes,
  enum: (a: unknown[], b: unknown[]) => a.filter((value) => includesValue(b, value)),
  required: (a: string[], b: string[]) => [...new Set([...a, ...b])],
  properties: (a: Record<string, AnySchema>, b: Record<string, AnySchema>) => {
    const merged = { ...a }
    for (const [name, schema] of Object.entries(b)) {
      const other = Object.hasOwn(a, name) ? a[name] : undefined
      merged[name] = other === undefined ? schema : both(other, schema)
    }
    return merged
  },
  allowed: (a: string[], b: string[]) => a.filter((name) => b.includes(name)),
  discriminated: members<string>,
  additionalProperties: (a: AnySchema, b: AnySchema) => {
    if (typeof a === 'boolean') return a && b
    return typeof b === 'boolean' ? b && a : both(a, b)
  },
  items: both,
  uniqueItems: (a: boolean, b: boolean) => a || b,
  minimum: larger,
  exclusiveMinimum: larger,
  multipleOf: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
}

function mergeTypes(a: readonly string[], b: readonly string[]): readonly string[] {
  if (a.length === 0 || b.length === 0) return [...a, ...b]
  const common = a.filter((type) => b.includes(type) || (type === 'integer' && b.includes('number')))
  if (a.includes('number') && !a.includes('integer') && b.includes('integer')) common.push('integer')
  // Nothing conforms to both. The first is as wrong as the second.
  return common.length > 0 ? common : a
}

/** A missing keyword must not replace one of another part. */
function withoutUndefined(flat: { readonly [K in keyof FlatSchema]: FlatSchema[K] | undefined }): FlatSchema {
  return Object.fromEntries(Object.entries(flat).filter(([, value]) => value !== undefined)) as unknown as FlatSchema
}
