import { wordsOf } from '../resources/names.js'
import { typesOf } from '../resources/schema-facts.js'
import type { ServiceResource } from '../resources/service-resource.js'
import type { Json } from '../resources/value-maker.js'
import { isValid } from './fit-value.js'

const CHANGED = /^(updated?|modified|modification|changed?|edited)$/
const TIME = /^(at|on|date|time|timestamp|last|utc|ts)$/

/** What changes with every change of a record, such as `updatedAt`, in the form of its schema. */
export function changeFields({ fields, writable }: ServiceResource, at: number): Json {
  const now = new Date(at).toISOString()
  const entries = fields.flatMap(({ property, schema }): [string, unknown][] => {
    if (writable.includes(property) || !saysWhenChanged(property)) return []
    const isText = typesOf(schema).has('string')
    const values = isText ? [now, now.slice(0, 10)] : [Math.floor(at / 1000)]
    const value = values.find((each) => isValid(schema, each))
    return value === undefined ? [] : [[property, value]]
  })
  return Object.fromEntries(entries)
}

/** `updated_at`, `lastModified` and `updated`, but not `updatedBy`. */
function saysWhenChanged(property: string): boolean {
  const words = wordsOf(property)
  return words.some((word) => CHANGED.test(word)) && words.every((word) => CHANGED.test(word) || TIME.test(word))
}
