import { isPlainObject } from '../../lib/plain-object.js'
import type { Schema } from '../contract/schema.js'
import { hasFlag, itemsOf, propertiesIn } from './schema-facts.js'

/** Leaves out what is only written inside a record, such as `login.password`. Undefined if its schema has nothing of that kind. */
export function createHide(schema: Schema): ((value: unknown) => unknown) | undefined {
  return containsWriteOnly(schema) ? (value) => hide(value, schema) : undefined
}

function containsWriteOnly(schema: Schema): boolean {
  // Not recursive: schemas of a large document can lead from each to the next, deeper than the stack.
  const inside = new Set([schema])
  for (const each of inside) {
    const items = itemsOf(each)
    for (const inner of [...propertiesIn(each).values(), ...(items ? [items] : [])]) {
      if (hasFlag(inner, 'writeOnly')) return true
      inside.add(inner)
    }
  }
  return false
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
    if (hasFlag(property, 'writeOnly')) return []
    return [[name, property ? hide(inner, property) : inner]]
  })
  return Object.fromEntries(shown)
}
