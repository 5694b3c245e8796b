import { stringifyJson, stringifyText } from '../../lib/json.js'
import { isStored } from '../../lib/stored.js'
import { acceptsNull, nonNullOf, onlyTypeOf, propertiesWithoutChoices } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'

export type Serialize = (value: unknown) => string

/**
 * Compiles a schema to a function that writes exactly the fields of the schema, in its order, and integers that are stored as
 * digits as numbers. Fields that are undefined are left out, and so is null where the schema does not allow it.
 */
export function compileSerializer(schema: Schema, depth = 0): Serialize {
  // A schema may contain itself, or lead to all others of its document.
  if (depth > MAX_DEPTH) return lazySerializer(schema)
  const { int64, items, properties, allOf, anyOf, oneOf } = nonNullOf(schema)
  const type = onlyTypeOf(schema)
  if (int64 || type === 'integer' || type === 'number') return serializeDigits
  if ((anyOf || oneOf) && !properties && !allOf) return serializeAny
  if (type === 'array') return serializeArray(compileSerializer(items ?? {}, depth + 1))
  if (type === 'object' || properties || allOf) {
    // With many properties, each of which is such an object, even few levels would be too many.
    return depth > 1 ? lazySerializer(schema) : serializeObject(schema, depth)
  }
  if (type === 'string') return (text) => (typeof text === 'string' ? stringifyText(text) : serializeAny(text))
  // A value of any type may contain an id that needs a bigint.
  return serializeAny
}

const MAX_DEPTH = 3

function lazySerializer(schema: Schema): Serialize {
  let compiled: Serialize | undefined
  return (value) => {
    compiled ??= compileSerializer(schema)
    return compiled(value)
  }
}

const serializeAny: Serialize = (value) => stringifyJson(value) ?? 'null'

/** An id is stored as its digits. A text is not what the schema says, and is written as one. */
const serializeDigits: Serialize = (value) =>
  typeof value === 'string' && /^-?\d+$/.test(value) ? value : serializeAny(value)

function serializeArray(item: Serialize): Serialize {
  const items = cacheTexts(item, isStored)
  const write: Serialize = (values) => `[${(values as unknown[]).map(items).join(',')}]`
  const writeOnce = cacheTexts(write, isFrozen)
  return (values) => (Array.isArray(values) ? writeOnce(values) : serializeAny(values))
}

const isFrozen = (value: unknown): value is object => Object.isFrozen(value)

/** Writes what schema a response has. A stored record is written once, until it changes: then it is another object. */
export function compileResponseSerializer(schema: Schema): Serialize {
  return cacheTexts(lazySerializer(schema), isStored)
}

/** What never changes is sent again and again: a stored record in many pages, a frozen page until its list changes. */
function cacheTexts(serialize: Serialize, neverChanges: (value: unknown) => value is object): Serialize {
  const texts = new WeakMap<object, string>()
  return (value) => {
    if (!neverChanges(value)) return serialize(value)
    const known = texts.get(value)
    if (known !== undefined) return known
    const text = serialize(value)
    texts.set(value, text)
    return text
  }
}

interface Member {
  readonly name: string
  readonly label: string
  readonly write: Serialize
  readonly isNullable: boolean
  /** Whether every object has a member of this name: `constructor`. */
  readonly isInherited: boolean
}

function serializeObject(schema: Schema, depth: number): Serialize {
  const members = Object.entries(propertiesWithoutChoices(schema)).map(
    ([name, property]): Member => ({
      name,
      label: `${JSON.stringify(name)}:`,
      write: compileSerializer(property, depth + 1),
      isNullable: acceptsNull(property),
      isInherited: name in Object.prototype,
    }),
  )
  if (members.length === 0 || isOpen(schema) || requiresOthers(schema, members))
    return serializeOpenObject(new Map(members.map(({ name, write }) => [name, write])))
  return (object) => {
    if (typeof object !== 'object' || object === null) return serializeAny(object)
    let text = ''
    for (const { name, label, write, isNullable, isInherited } of members) {
      if (isInherited && !Object.hasOwn(object, name)) continue
      const value = (object as Record<string, unknown>)[name]
      if (value === undefined || (value === null && !isNullable)) continue
      text += (text === '' ? '{' : ',') + label + (value === null ? 'null' : write(value))
    }
    return text === '' ? '{}' : `${text}}`
  }
}

/** Documents require properties that they do not describe. */
function requiresOthers({ required = [], allOf = [] }: Schema, members: readonly Member[]): boolean {
  const known = new Set(members.map(({ name }) => name))
  return [...required, ...allOf.flatMap((part) => part.required ?? [])].some((name) => !known.has(name))
}

/** Whether objects may have members that the schema does not name, or that only a choice in it names. */
function isOpen(schema: Schema, passed = new Set<Schema>()): boolean {
  if (passed.has(schema)) return false
  passed.add(schema)
  const { additionalProperties, patternProperties, allOf = [], anyOf, oneOf } = nonNullOf(schema)
  return (
    Boolean(additionalProperties || patternProperties || anyOf || oneOf) || allOf.some((part) => isOpen(part, passed))
  )
}

/** An object with members that the schema does not name, such as an OpenAPI document, is written as it is. */
function serializeOpenObject(writers: ReadonlyMap<string, Serialize>): Serialize {
  if (writers.size === 0) return serializeAny
  return (object) => {
    if (typeof object !== 'object' || object === null || Array.isArray(object)) return serializeAny(object)
    const members = Object.entries(object).flatMap(([name, value]) => {
      if (value === undefined) return []
      const write = value === null ? serializeAny : (writers.get(name) ?? serializeAny)
      return [`${JSON.stringify(name)}:${write(value)}`]
    })
    return `{${members.join(',')}}`
  }
}
