import type { Schema } from '../contract/schema.js'

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
  const add = (part: Schema) => {
    if (!isObject(part) || parts.has(part)) return
    parts.add(part)
    for (const list of [part.allOf, part.oneOf, part.anyOf]) list?.forEach(add)
  }
  add(schema)
  return parts
})

function isObject(schema: Schema | boolean | undefined): schema is Schema {
  return typeof schema === 'object'
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

/** Whether the value may be null, as far as the schema says so. */
export function allowsNull(schema: Schema): boolean {
  if (partsOf(schema).size === 1 && Object.keys(schema).length === 0) return true
  return [...partsOf(schema)].some(
    ({ type, nullable, const: only }: Schema & { readonly nullable?: boolean }) =>
      nullable === true || only === null || [type].flat().includes('null'),
  )
}

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
