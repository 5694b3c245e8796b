import type { Schema } from '../contract/schema.js'
import { endsLikeId, stemOf } from './find-id.js'
import { findSpelling, normalize, nounOf } from './names.js'
import type { Related } from './relations.js'
import { isObjectSchema, itemsOf, propertiesIn, typesOf } from './schema-facts.js'

/**
 * The properties that hold records of other resources, or parts of them, as objects: `author` of `authors`, by the schema of
 * the object or by its name.
 */
export function findEmbedded(
  { recordSchema }: Related,
  byNoun: ReadonlyMap<string, readonly Related[]>,
): Readonly<Record<string, string>> {
  const all = [...byNoun.values()].flat()
  const entries = [...propertiesIn(recordSchema)].flatMap(([name, schema]) => {
    const object = objectIn(schema)
    if (object === undefined) return []
    const noun = normalize(typesOf(schema).has('array') ? nounOf(name) : name)
    const target =
      all.find((other) => other.recordSchema === object) ?? byNoun.get(noun)?.find((other) => hasIdOf(object, other))
    return target ? [[name, target.name]] : []
  })
  return Object.fromEntries(entries)
}

/**
 * The properties of requests that a record has under another name: `FriendlyName` for `friendly_name`, and the ids of what it
 * has as objects, `author_id` for `author`, `tag_ids` for `tags`. By their names, with those of the record.
 */
export function findOtherNames(
  request: Schema,
  record: Schema,
  embedded: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const known = propertiesIn(record)
  const names = [...known.keys()]
  const entries = [...propertiesIn(request).keys()].flatMap((name) => {
    if (known.has(name)) return []
    const stem = stemOf(name)
    const found =
      findSpelling(names, name) ??
      Object.keys(embedded).find(
        (property) => endsLikeId(name) && [normalize(property), normalize(nounOf(property))].includes(stem),
      )
    return found === undefined ? [] : [[name, found]]
  })
  return Object.fromEntries(entries)
}

function objectIn(schema: Schema): Schema | undefined {
  const items = typesOf(schema).has('array') ? itemsOf(schema) : undefined
  if (items) return isObjectSchema(items) ? items : undefined
  return isObjectSchema(schema) ? schema : undefined
}

function hasIdOf(object: Schema, { id }: Related): boolean {
  return id.property?.length === 1 && propertiesIn(object).has(id.property[0] as string)
}
