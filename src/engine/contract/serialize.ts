import type { Id } from '../../lib/int64.js'
import { isPlain, stringifyJson } from '../../lib/json.js'
import { utf8Length } from '../../lib/utf8.js'
import { propertiesOf, type Schema } from './schema.js'

export type Serialize = (value: unknown) => string

/** A text, and its length in UTF-8. */
export interface Written {
  readonly text: string
  readonly bytes: number
}

/**
 * How many more bytes than characters the current text has. Counting while serializing saves a pass over the whole text.
 * Serializing is synchronous, so one counter is enough.
 */
let extraBytes = 0

export function write(serialize: Serialize, value: unknown): Written {
  extraBytes = 0
  const text = serialize(value)
  return { text, bytes: text.length + extraBytes }
}

/**
 * Compiles a schema to a function that writes exactly the fields of the schema, in its order, and ids digit by digit. Fields
 * that are null or undefined are left out: no field of the contract is nullable, so null means missing. The text of frozen
 * records is cached, which does not pay for records that are written only once.
 */
export function compileSerializer(schema: Schema, isCached = true): Serialize {
  if (schema.int64) return (value) => value as Id
  if (schema.type === 'array') return serializeArray(compileSerializer(schema.items ?? {}, isCached))
  if (schema.type === 'object' || schema.properties || schema.allOf) return serializeObject(schema, isCached)
  if (schema.type === 'string') return serializeText
  // A value of any type may contain an id that needs a bigint.
  return schema.type === undefined ? serializeAny : JSON.stringify
}

const serializeText: Serialize = (text) =>
  typeof text === 'string' && isPlain(text) ? `"${text}"` : counted(JSON.stringify(text))

/** For bodies that are not JSON. */
export const serializeRaw: Serialize = (text) => counted(String(text))

const serializeAny: Serialize = (value) => counted(stringifyJson(value) ?? 'null')

function counted(text: string): string {
  extraBytes += utf8Length(text) - text.length
  return text
}

function serializeArray(item: Serialize): Serialize {
  return (values) => `[${(values as unknown[]).map(item).join(',')}]`
}

interface Member {
  readonly name: string
  readonly label: string
  readonly write: Serialize
  readonly isAny: boolean
}

function serializeObject(schema: Schema, isCached: boolean): Serialize {
  const fields = Object.entries(propertiesOf(schema))
  // An object with members that the schema does not name, such as an OpenAPI document, is written as it is.
  if (schema.additionalProperties || fields.length === 0) return serializeAny
  const members = fields.map(([name, property]) => toMember(name, property, isCached))
  const serialize: Serialize = (object) => {
    const parts: string[] = []
    for (let index = 0; index < members.length; index += 1) {
      const { name, label, write, isAny } = members[index] as Member
      const value = (object as Record<string, unknown>)[name]
      if (value !== undefined && (value !== null || isAny)) parts.push(label + write(value))
    }
    return `{${parts.join(',')}}`
  }
  const isFlat = fields.every(([, { int64, type }]) => int64 || PRIMITIVES.includes(type))
  return isCached && isFlat ? cached(serialize) : serialize
}

function toMember(name: string, property: Schema, isCached: boolean): Member {
  const label = `${JSON.stringify(name)}:`
  if (utf8Length(label) !== label.length) throw new Error(`The field ${name} of the OpenAPI document is not ASCII.`)
  return {
    name,
    label,
    write: compileSerializer(property, isCached),
    // For a member of any type, null is a value.
    isAny: property.type === undefined && !property.int64 && !property.allOf,
  }
}

/** Types that a frozen record cannot change. */
const PRIMITIVES: readonly unknown[] = ['string', 'integer', 'number', 'boolean']

/** Enough for the pages that are in use, in the memory of a few large responses. */
const MAX_CACHED = 10_000

/** Stored records are frozen and sent many times. */
function cached(serialize: Serialize): Serialize {
  let cache = new WeakMap<object, { readonly text: string; readonly extraBytes: number }>()
  let count = 0
  return (value) => {
    const found = cache.get(value as object)
    if (found !== undefined) {
      extraBytes += found.extraBytes
      return found.text
    }
    const before = extraBytes
    const text = serialize(value)
    if (Object.isFrozen(value)) {
      count += 1
      if (count > MAX_CACHED) {
        count = 1
        cache = new WeakMap()
      }
      cache.set(value as object, { text, extraBytes: extraBytes - before })
    }
    return text
  }
}
