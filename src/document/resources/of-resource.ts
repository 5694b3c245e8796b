import { propertiesIn } from '../schema/facts.js'
import type { Schema } from '../schema/schema.js'
import { type Hint, parameterOf } from './envelopes.js'
import type { Resource } from './resource.js'

/** What was known about the records of a resource before their schema was. */
export function hintOf({ path, noun, id }: Resource): Hint {
  const collection = path.split('/').findLast((segment) => segment !== '' && parameterOf(segment) === undefined)
  return { collection: collection ?? '', noun, parameter: id.parameter }
}

/**
 * Whether a schema describes records of a resource: the same one, one with its id and half of it and with hardly anything
 * else, or some of its properties and nothing else. `others` are names that may be beside them.
 */
export function isRecordOf({ record, id }: Resource, schema: Schema, others: readonly string[] = []): boolean {
  if (schema === record.schema) return true
  const known = propertiesIn(record.schema)
  const names = [...propertiesIn(schema).keys()].filter((name) => !others.includes(name))
  const [first] = id.property ?? []
  if (first === undefined || !names.includes(first)) return false
  const shared = names.filter((name) => known.has(name)).length
  return shared === names.length || (shared * 5 >= names.length * 4 && shared * 2 >= known.size)
}
