import { isPlainObject, type Json } from '../../lib/values.js'
import type { AnySchema, JsonSchema } from './json-schema.js'
import { BESIDE_NULL, SHAPES } from './keywords.js'
import type { Schema } from './schema.js'

const knownRequired = new WeakMap<Schema, ReadonlySet<string>>()

/** Keeps what is read from a schema: it is asked for many times. */
function readOnce<Facts>(read: (schema: Schema) => Facts): (schema: Schema | boolean | undefined) => Facts {
  const known = new WeakMap<Schema, Facts>()
  return (schema) => {
    const key = isObject(schema) ? schema : NOTHING
    const facts = known.get(key) ?? read(key)
    known.set(key, facts)
    return facts
  }
}

/** What is no object says nothing. In OpenAPI 3.1, `true` is a schema as well. */
const NOTHING: Schema = {}

/** A schema, the parts of its `allOf`, and the choices of its `oneOf` and `anyOf`. */
export const partsOf = readOnce((schema): ReadonlySet<Schema> => {
  const parts = new Set<Schema>()
  if (schema === NOTHING) return parts
  const add = (part: Schema | undefined) => {
    if (!isObject(part) || parts.has(part)) return
    parts.add(part)
    for (const list of [part.allOf, part.oneOf, part.anyOf]) list?.forEach(add)
    add(shapeByExample(part))
  }
  add(schema)
  return parts
})

function isObject(schema: Schema | boolean | undefined): schema is Schema {
  return typeof schema === 'object'
}

/** Examples beside schemas: of a body, or of a parameter. */
const examples = new WeakMap<Schema, unknown>()

/** The example of what has a schema. It counts before anything else is read of the schema. */
export function addExample(schema: Schema, example: unknown): void {
  if (example !== undefined && !examples.has(schema)) examples.set(schema, example)
}

/** What an example says of a schema for which nothing else does. Values may differ from it. */
export function shapeByExample(schema: JsonSchema & Schema): Schema | undefined {
  const example = schema.example ?? examples.get(schema)
  if (example === undefined || SHAPES.some((keyword) => keyword in schema)) return undefined
  const type = onlyTypeOf(schema)
  if (type === 'array') return Array.isArray(example) ? schemaOfExample(example) : undefined
  if ((type !== undefined && type !== 'object') || !isPlainObject(example)) return undefined
  return { properties: propertiesOfExample(example), additionalProperties: true }
}

const propertiesOfExample = (example: Json): Record<string, Schema> =>
  Object.fromEntries(Object.entries(example).map(([name, value]) => [name, schemaOfExample(value)]))

function schemaOfExample(example: unknown): Schema {
  if (example === null) return {}
  if (Array.isArray(example)) return { type: 'array', items: example.length > 0 ? schemaOfExample(example[0]) : {} }
  if (isPlainObject(example)) return { type: 'object', properties: propertiesOfExample(example) }
  return { type: Number.isInteger(example) ? 'integer' : typeof example, example }
}

/** The properties of all parts of a schema. */
export const propertiesIn = readOnce((schema): ReadonlyMap<string, Schema> => {
  const properties = new Map<string, Schema>()
  for (const part of partsOf(schema)) {
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      if (!properties.has(name)) properties.set(name, property)
    }
  }
  return properties
})

/** The properties of a schema and of its `allOf`, without those of choices. The last one of a name counts. */
export function propertiesWithoutChoices(schema: Schema): Record<string, Schema> {
  return collectProperties(schema, new Set())
}

function collectProperties(schema: Schema, passed: Set<Schema>): Record<string, Schema> {
  if (passed.has(schema)) return {}
  passed.add(schema)
  const { allOf = [], properties } = nonNullOf(schema)
  return Object.assign({}, ...allOf.map((part) => collectProperties(part, passed)), properties)
}

/** The properties that a text can be converted for: those of the choices too, of which the last one of a name counts. */
export function propertiesForText(schema: Schema): Record<string, Schema> {
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return Object.assign({}, ...choices.map(propertiesWithoutChoices), propertiesWithoutChoices(schema))
}

/** The schema of a property, below the names that lead to it. */
export function schemaAt(schema: Schema, path: readonly string[]): Schema {
  return path.reduce<Schema>((outer, name) => propertiesIn(outer).get(name) ?? {}, schema)
}

/** The properties that every value has: those of one choice of several are not among them. */
export function requiredIn(schema: Schema): ReadonlySet<string> {
  if (!isObject(schema)) return new Set()
  // A schema may be a part in very many places, and of itself, where it adds nothing.
  const known = knownRequired.get(schema)
  if (known !== undefined) return known
  knownRequired.set(schema, new Set())
  const { allOf = [], oneOf = [], anyOf = [] } = schema
  const parts = allOf.map((part) => requiredIn(part))
  const [first, ...others] = [...oneOf, ...anyOf].map((part) => requiredIn(part))
  const shared = [...(first ?? [])].filter((name) => others.every((other) => other.has(name)))
  const required = new Set([...(schema.required ?? []), ...parts.flatMap((part) => [...part]), ...shared])
  knownRequired.set(schema, required)
  return required
}

/** The types of all parts, without `null`. */
export const typesOf = readOnce((schema): ReadonlySet<string> => {
  const types = new Set<string>()
  for (const { type, properties, items, int64 } of partsOf(schema)) {
    for (const name of [type ?? []].flat()) types.add(name)
    if (int64) types.add('integer')
    if (type === undefined && properties) types.add('object')
    if (type === undefined && items) types.add('array')
  }
  types.delete('null')
  return types
})

/** The types that a schema names itself. Empty if it does not name any. */
export function ownTypesOf({ type, int64 }: JsonSchema): readonly string[] {
  if (type === undefined) return int64 ? ['integer'] : []
  return typeof type === 'string' ? [type] : type
}

/** The types that a text can be converted to: also `null`, `int64`, and those of listed values where no type is named. */
export const typesForText = readOnce((schema) => collectTypes(schema, new Set()))

function collectTypes(schema: Schema, passed: Set<Schema>): ReadonlySet<string> {
  if (passed.has(schema)) return new Set()
  passed.add(schema)
  const { type, int64, enum: values, const: constant, allOf = [], anyOf = [], oneOf = [] } = schema
  const own = [...(int64 ? ['int64'] : []), ...[type ?? []].flat()]
  const inside = [...allOf, ...anyOf, ...oneOf].flatMap((part) => [...collectTypes(part, passed)])
  const implied = own.length + inside.length === 0 ? (values ?? (constant === undefined ? [] : [constant])) : []
  return new Set([...own, ...inside, ...implied.map((value) => typeof value)])
}

/** The only type of values that are not null; undefined if there are several, or none is given. */
export function onlyTypeOf(schema: Schema): string | undefined {
  const { type } = nonNullOf(schema)
  if (!Array.isArray(type)) return type as string | undefined
  const types = type.filter((each) => each !== 'null')
  return types.length === 1 ? types[0] : undefined
}

/** Whether any part of a schema says that a value may be null, or the schema says nothing at all. */
export function namesNull(schema: Schema): boolean {
  if (partsOf(schema).size === 1 && Object.keys(schema).length === 0) return true
  return [...partsOf(schema)].some(
    ({ type, nullable, const: only }: Schema & { readonly nullable?: boolean }) =>
      nullable === true || only === null || [type].flat().includes('null'),
  )
}

/** Whether values may be objects or lists, as far as a schema says so itself. */
export function isContainer(schema: AnySchema): boolean {
  if (typeof schema === 'boolean') return false
  const types = ownTypesOf(schema)
  if (types.length > 0) return types.includes('object') || types.includes('array')
  return [schema.properties, schema.items, schema.allOf, schema.oneOf, schema.anyOf].some(Boolean)
}

/** Whether a schema is nothing but `null`, as one branch of `anyOf` often is. */
export function isOnlyNull(schema: AnySchema): boolean {
  if (typeof schema === 'boolean') return false
  if (schema.const === null) return true
  const types = ownTypesOf(schema)
  return types.length > 0 && types.every((type) => type === 'null')
}

/** Whether `null` is one of the values that a schema allows, or all that one of its choices allows, as far as it says so. */
export function namesNullItself(schema: AnySchema): boolean {
  if (typeof schema === 'boolean') return schema
  if (schema.nullable === true || isOnlyNull(schema)) return true
  if (ownTypesOf(schema).includes('null')) return schema.enum?.includes(null) ?? true
  return [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].some(isOnlyNull)
}

/** Whether nothing in a schema forbids null: a value of any type may be null. */
export function acceptsNull(schema: Schema, passed = new Set<Schema>()): boolean {
  if (passed.has(schema)) return true
  passed.add(schema)
  const { type, int64, allOf = [] } = schema
  if (nonNullOf(schema) !== schema) return true
  if (type !== undefined) return type.includes('null')
  return !int64 && allOf.every((part) => acceptsNull(part, passed))
}

/** The schema of the values that are not null, if a choice between it and null is all that the schema says. */
export function nonNullOf(schema: Schema): Schema {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices?.length !== 2 || !choices.some(isNull)) return schema
  const others = choices.filter((choice) => !isNull(choice))
  return others.length === 1 && Object.keys(schema).every(isNeutral) ? (others[0] as Schema) : schema
}

const isNull = (schema: Schema) => schema.type === 'null'

const isNeutral = (keyword: string) => BESIDE_NULL.includes(keyword) || keyword.startsWith('x-')

export const isObjectSchema = (schema: Schema) => typesOf(schema).has('object')

/** The schema of a list's items. */
export function itemsOf(schema: Schema): Schema | undefined {
  for (const { items } of partsOf(schema)) if (items) return items
  return undefined
}

/** Whether a value is a string or a number: it can be an id. */
export function isScalar(schema: Schema): boolean {
  const types = typesOf(schema)
  if (types.size === 0) return [...partsOf(schema)].some((part) => part.enum !== undefined || part.format !== undefined)
  return ['string', 'integer', 'number'].some((type) => types.has(type))
}

/** Whether a value is a number, and nothing else. */
export function isNumeric(schema: Schema): boolean {
  const types = [...typesOf(schema)]
  return types.length > 0 && types.every((type) => type === 'integer' || type === 'number')
}

/** Whether any part is `readOnly`, or `writeOnly`. */
export function hasFlag(schema: object | boolean | undefined, keyword: 'readOnly' | 'writeOnly'): boolean {
  for (const part of partsOf(schema as Schema)) if (part[keyword]) return true
  return false
}

/** Whether two schemas describe the same kind of record: the same schema, or one with most properties of the other. */
export function areSimilar(one: Schema, other: Schema): boolean {
  if (one === other) return true
  const [few, many] = [propertiesIn(one), propertiesIn(other)].sort((a, b) => a.size - b.size)
  if (!few || !many || few.size === 0) return false
  return [...few.keys()].filter((name) => many.has(name)).length * 2 >= few.size
}
