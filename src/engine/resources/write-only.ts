import { isPlainObject } from '../../lib/plain-object.js'
import type { Schema } from '../contract/schema.js'
import { itemsOf, partsOf, propertiesIn } from './schema-facts.js'

/** Leaves out what is only written inside a record, such as `login.password`. Undefined if its schema has nothing of that kind. */
export function createHide(schema: Schema): ((value: unknown) => unknown) | undefined {
  return containsWriteOnly(schema, new Set()) ? (value) => hide(value, schema) : undefined
}

function containsWriteOnly(schema: Schema, seen: Set<Schema>): boolean {
  if (seen.has(schema)) return false
  seen.add(schema)
  const items = itemsOf(schema)
  const inner = [...propertiesIn(schema).values(), ...(items ? [items] : [])]
  return inner.some((each) => isWriteOnly(each) || containsWriteOnly(each, seen))
}

function hide(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) {
    const items = itemsOf(schema)
    return items ? value.map((each) => hide(each, items)) : value
  }
  if (!isPlainObject(value)) return value
  const properties = propertiesIn(schema)
  const shown = Object.entries(value).flatMap(([name, inner]) => {
    const property = properties.get(name)
    if (property && isWriteOnly(property)) return []
    return [[name, property ? hide(inner, property) : inner]]
  })
  return Object.fromEntries(shown)
}

const isWriteOnly = (schema: Schema) => [...partsOf(schema)].some(({ writeOnly }) => writeOnly === true)
