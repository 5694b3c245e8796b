import type { Id } from '../../lib/int64.js'
import { isPlain, stringifyJson } from '../../lib/json.js'
import { utf8Length } from '../../lib/utf8.js'
import { propertiesOf, type Schema } from './schema.js'

export type Serialize = (value: unknown) => string

/** A text, and how many bytes it takes in UTF-8. */
export interface Written {
  readonly text: string
  readonly bytes: number
}

/**
 * How many more bytes than characters there are in what is being written. Known as it is written, it saves a second look
 * at the whole of it; writing is never interrupted, so one count is enough for all.
 */
let surplus = 0

/** Writes a value, and counts the bytes. */
export function write(serialize: Serialize, value: unknown): Written {
  surplus = 0
  const text = serialize(value)
  return { text, bytes: text.length + surplus }
}

/**
 * Compiles a schema to a function that writes exactly the fields the schema knows, in its order, ids digit for digit.
 * A field that is null or undefined is left out: the contract has no nullable field, so null means "not there".
 * It remembers what it wrote of records that do not change, unless none is written twice.
 */
export function compileSerializer(schema: Schema, remembers = true): Serialize {
  if (schema.int64) return (value) => value as Id
  if (schema.type === 'array') return serializeArray(compileSerializer(schema.items ?? {}, remembers))
  if (schema.type === 'object' || schema.properties || schema.allOf) return serializeObject(schema, remembers)
  if (schema.type === 'string') return serializeText
  // Whatever it is: there may be an id of more than 53 bits inside.
  return schema.type === undefined ? serializeAny : JSON.stringify
}

const serializeText: Serialize = (text) =>
  typeof text === 'string' && isPlain(text) ? `"${text}"` : counted(JSON.stringify(text))

/** What is text already. */
export const serializeRaw: Serialize = (text) => counted(String(text))

const serializeAny: Serialize = (value) => counted(stringifyJson(value) ?? 'null')

function counted(text: string): string {
  surplus += utf8Length(text) - text.length
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

function serializeObject(schema: Schema, remembers: boolean): Serialize {
  const fields = Object.entries(propertiesOf(schema))
  // An object that may have members no schema names (a whole document, say) is written as it is.
  if (schema.additionalProperties || fields.length === 0) return serializeAny
  const members = fields.map(([name, property]) => toMember(name, property, remembers))
  const serialize: Serialize = (object) => {
    const parts: string[] = []
    for (let index = 0; index < members.length; index += 1) {
      const { name, label, write, isAny } = members[index] as Member
      const value = (object as Record<string, unknown>)[name]
      if (value !== undefined && (value !== null || isAny)) parts.push(label + write(value))
    }
    return `{${parts.join(',')}}`
  }
  const isFlat = fields.every(([, { int64, type }]) => int64 || FLAT.includes(type))
  return remembers && isFlat ? remembering(serialize) : serialize
}

function toMember(name: string, property: Schema, remembers: boolean): Member {
  const label = `${JSON.stringify(name)}:`
  if (utf8Length(label) !== label.length) throw new Error(`the document's field ${name} is not written in ASCII`)
  return {
    name,
    label,
    write: compileSerializer(property, remembers),
    // Of a member that may be anything null is a value.
    isAny: property.type === undefined && !property.int64 && !property.allOf,
  }
}

/** Nothing can change inside of these. */
const FLAT: readonly unknown[] = ['string', 'integer', 'number', 'boolean']

/** Enough for every page that somebody looks at, and no more memory than a few large answers take. */
const MAX_REMEMBERED = 10_000

/** Records are frozen and read many times: what was written of one stays true. */
function remembering(serialize: Serialize): Serialize {
  let known = new WeakMap<object, { readonly text: string; readonly surplus: number }>()
  let count = 0
  return (value) => {
    const found = known.get(value as object)
    if (found !== undefined) {
      surplus += found.surplus
      return found.text
    }
    const before = surplus
    const text = serialize(value)
    if (Object.isFrozen(value)) {
      count += 1
      if (count > MAX_REMEMBERED) {
        count = 1
        known = new WeakMap()
      }
      known.set(value as object, { text, surplus: surplus - before })
    }
    return text
  }
}
