import { branchNames, type Discriminator } from './discriminator.js'
import { nonNullOf, propertiesOf, type Schema } from './schema.js'

/** Whether a schema describes what a client sends, or what the service sends. */
export type Direction = 'request' | 'response'

type Json = Record<string, unknown>
type Convert = (schema: unknown) => unknown

/** The schema as Ajv compiles it: only keywords that it knows. `convert` is called for each schema inside. */
export function toAjvSchema(schema: Schema, direction: Direction, convert: Convert): Json {
  const nonNull = nonNullOf(schema)
  if (nonNull !== schema) return { unlessNull: convert(nonNull) }
  const converted: Json = {}
  for (const [keyword, value] of Object.entries(schema)) {
    // Not a method that every object has: a keyword may have any name.
    const result = Object.hasOwn(CONVERSIONS, keyword) ? CONVERSIONS[keyword]?.(value as never, convert) : undefined
    if (result !== undefined) converted[keyword] = result
  }
  if (converted.required) converted.required = requiredIn(schema, direction)
  // A file is an object in a form, and text elsewhere.
  if (schema.format === 'binary' || schema.contentMediaType !== undefined) delete converted.type
  return converted
}

/** The same schema with each value read as the branch that its discriminator names. The others are read as any `oneOf`. */
export function byDiscriminator(converted: Json, discriminator: Discriminator): Json {
  const { propertyName } = discriminator
  const names = branchNames(discriminator)
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
  return [...new Set(schema.required)].filter((name) => !isExempt(name))
}

type Conversion = (value: never, convert: Convert) => unknown

const one: Conversion = (value, convert) => convert(value)
const list: Conversion = (value: readonly unknown[], convert) => value.map(convert)
const map: Conversion = (value: Json, convert) =>
  Object.fromEntries(Object.entries(value).map(([name, each]) => [name, convert(each)]))
const same: Conversion = (value) => value

const all = (keywords: string, conversion: Conversion) =>
  Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, conversion]))

const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  ...all(
    'type format enum const int64 minimum maximum exclusiveMinimum exclusiveMaximum multipleOf pattern uniqueItems',
    same,
  ),
  ...all('minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains', same),
  ...all('required dependentRequired', same),
  ...all('items additionalProperties not contains propertyNames if then else unevaluatedItems', one),
  ...all('unevaluatedProperties', one),
  ...all('allOf anyOf oneOf prefixItems', list),
  ...all('properties patternProperties dependentSchemas', map),
}
