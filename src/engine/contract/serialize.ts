import type { Id } from '../../lib/int64.js'
import { stringifyJson, stringifyText } from '../../lib/json.js'
import { isStored } from '../store/database.js'
import { propertiesOf, type Schema } from './schema.js'

export type Serialize = (value: unknown) => string

/**
 * Compiles a schema to a function that writes exactly the fields of the schema, in its order, and ids digit by digit. Fields
 * that are null or undefined are left out: no field of the contract is nullable, so null means missing.
 */
export function compileSerializer(schema: Schema): Serialize {
  if (schema.int64) return (value) => value as Id
  if (schema.type === 'array') return serializeArray(compileSerializer(schema.items ?? {}))
  if (schema.type === 'object' || schema.properties || schema.allOf) return serializeObject(schema)
  if (schema.type === 'string') return (text) => stringifyText(text as string)
  // A value of any type may contain an id that needs a bigint.
  return schema.type === undefined ? serializeAny : JSON.stringify
}

const serializeAny: Serialize = (value) => stringifyJson(value) ?? 'null'

function serializeArray(item: Serialize): Serialize {
  const items = cacheRecords(item)
  return (values) => `[${(values as unknown[]).map(items).join(',')}]`
}

/** A stored record never changes, and is sent in many pages. */
function cacheRecords(serialize: Serialize): Serialize {
  const texts = new WeakMap<object, string>()
  return (value) => {
    if (!isStored(value)) return serialize(value)
    const known = texts.get(value)
    if (known !== undefined) return known
    const text = serialize(value)
    texts.set(value, text)
    return text
  }
}

function serializeObject(schema: Schema): Serialize {
  const fields = Object.entries(propertiesOf(schema))
  // An object with members that the schema does not name, such as an OpenAPI document, is written as it is.
  if (schema.additionalProperties || fields.length === 0) return serializeAny
  const members = fields.map(([name, property]) => ({
    name,
    label: `${JSON.stringify(name)}:`,
    write: compileSerializer(property),
    // For a member of any type, null is a value.
    isAny: property.type === undefined && !property.int64 && !property.allOf,
  }))
  return (object) => {
    let text = ''
    for (const { name, label, write, isAny } of members) {
      const value = (object as Record<string, unknown>)[name]
      if (value === undefined || (value === null && !isAny)) continue
      text += (text === '' ? '{' : ',') + label + write(value)
    }
    return text === '' ? '{}' : `${text}}`
  }
}
