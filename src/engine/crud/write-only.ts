import { hasFlag, itemsOf, propertiesIn } from '../../document/schema/facts.js'
import type { Schema } from '../../document/schema/schema.js'
import { isObject, isPlainObject } from '../../lib/values.js'

/** Leaves out what is only written inside a record, such as `login.password`. Undefined if its schema has nothing of that kind. */
export function createHide(schema: Schema): ((value: unknown) => unknown) | undefined {
  return containsWriteOnly(schema) ? (value) => hide(value, schema) : undefined
}

/** What is known already: the schemas of a large document can lead from each to all others. */
const known = new WeakMap<Schema, boolean>()

function containsWriteOnly(schema: Schema): boolean {
  // Not recursive: schemas of a large document can lead from each to the next, deeper than the stack.
  const outerOf = new Map<Schema, Schema | undefined>([[schema, undefined]])
  for (const each of outerOf.keys()) {
    const items = itemsOf(each)
    const inside = [...propertiesIn(each).values(), ...(items ? [items] : [])]
    if (known.get(each) || inside.some((inner) => hasFlag(inner, 'writeOnly'))) {
      for (let outer: Schema | undefined = each; outer; outer = outerOf.get(outer)) known.set(outer, true)
      return true
    }
    if (known.has(each)) continue
    for (const inner of inside) if (isObject(inner) && !outerOf.has(inner)) outerOf.set(inner, each)
  }
  for (const each of outerOf.keys()) known.set(each, false)
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
