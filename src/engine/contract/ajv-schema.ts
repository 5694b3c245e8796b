import { isPlainObject } from '../../lib/plain-object.js'
import type { NamedBranches } from './discriminator.js'
import { nonNullOf, propertiesOf, type Schema } from './schema.js'

/** Whether a schema describes what a client sends, or what the service sends. */
export type Direction = 'request' | 'response'

type Json = Record<string, unknown>
type Convert = (schema: unknown) => unknown

/**
 * The schema as Ajv compiles it: only keywords that it knows, with values that it accepts, because one mistake in a document
 * must not make an operation unusable. `convert` is called for each schema inside.
 */
export function toAjvSchema(schema: Schema, direction: Direction, convert: Convert): Json {
  const nonNull = nonNullOf(schema)
  if (nonNull !== schema) return { unlessNull: convert(nonNull) }
  const converted: Json = {}
  for (const [keyword, value] of Object.entries(schema)) {
    // Not a method that every object has: a keyword may have any name.
    const result = Object.hasOwn(CONVERSIONS, keyword) ? CONVERSIONS[keyword]?.(value, convert) : undefined
    if (result !== undefined) converted[keyword] = result
  }
  if (converted.required) converted.required = requiredIn(schema, direction)
  // A file is an object in a form, and text elsewhere.
  if (schema.format === 'binary' || schema.contentMediaType !== undefined) delete converted.type
  return converted
}

/** The same schema with each value read as the branch that its discriminator names. The others are read as any `oneOf`. */
export function byDiscriminator(converted: Json, { propertyName, names = [] }: NamedBranches): Json {
  const { oneOf, allOf = [], ...others } = converted
  if (!Array.isArray(oneOf) || names.every((each) => each.length === 0)) return converted
  const isNamed = (values: readonly string[]) => ({
    type: 'object',
    required: [propertyName],
    properties: { [propertyName]: { enum: values } },
  })
  const branches = oneOf.flatMap((branch, index) => {
    const own = names[index] ?? []
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    return own.length > 0 ? [{ if: isNamed(own), then: branch }] : []
  })
  return { ...others, allOf: [...(allOf as Json[]), ...branches, { if: isNamed(names.flat()), else: converted }] }
}

/** Read-only properties are required in responses only, write-only ones in requests. */
function requiredIn(schema: Schema, direction: Direction): string[] {
  const properties = propertiesOf(schema)
  const isExempt = (name: string) =>
    direction === 'request' ? properties[name]?.readOnly === true : properties[name]?.writeOnly === true
  return [...new Set(schema.required)].filter((name) => typeof name === 'string' && !isExempt(name))
}

type Conversion = (value: unknown, convert: Convert) => unknown

const one: Conversion = (value, convert) => (isSchema(value) ? convert(value) : undefined)
const list: Conversion = (value, convert) =>
  Array.isArray(value) && value.length > 0 && value.every(isSchema) ? value.map(convert) : undefined
const map: Conversion = (value, convert) =>
  isPlainObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, each]) => (isSchema(each) ? [[name, convert(each)]] : [])),
      )
    : undefined
const number: Conversion = (value) => (typeof value === 'number' ? value : undefined)
const count: Conversion = (value) => (Number.isInteger(value) && (value as number) >= 0 ? value : undefined)
const text: Conversion = (value) => (typeof value === 'string' ? value : undefined)
const flag: Conversion = (value) => (typeof value === 'boolean' ? value : undefined)
const values: Conversion = (value) => (Array.isArray(value) && value.length > 0 ? value : undefined)
const same: Conversion = (value) => value

const isSchema = (value: unknown) => typeof value === 'boolean' || isPlainObject(value)

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']

const types: Conversion = (value) => {
  const known = [value].flat().filter((type) => TYPES.includes(type as string))
  return known.length > 1 ? known : known[0]
}

const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  type: types,
  format: text,
  enum: values,
  const: same,
  int64: flag,
  ...{ minimum: number, maximum: number, exclusiveMinimum: number, exclusiveMaximum: number },
  multipleOf: (value) => (typeof value === 'number' && value > 0 ? value : undefined),
  ...{
    minLength: count,
    maxLength: count,
    minItems: count,
    maxItems: count,
    minProperties: count,
    maxProperties: count,
  },
  ...{ minContains: count, maxContains: count },
  pattern: text,
  uniqueItems: flag,
  required: values,
  ...{ items: one, additionalProperties: one, not: one, contains: one, propertyNames: one },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  ...{ if: one, then: one, else: one, unevaluatedItems: one, unevaluatedProperties: one },
  ...{ allOf: list, anyOf: list, oneOf: list, prefixItems: list },
  ...{ properties: map, patternProperties: map, dependentSchemas: map },
  dependentRequired: (value) => (isPlainObject(value) && Object.values(value).every(Array.isArray) ? value : undefined),
}
