import { ownMember } from '../../lib/own-member.js'
import type { Schema } from '../contract/schema.js'
import { wordsOf } from '../resources/names.js'
import { isNumeric } from '../resources/schema-facts.js'
import type { ServiceResource } from '../resources/service-resource.js'
import type { Json } from '../resources/value-maker.js'
import { isValid } from './fit-value.js'

const CREATED = /^(created?|creation|added|inserted|registered|joined|issued|timestamp)$/
const CHANGED = /^(updated?|modified|modification|changed?|edited)$/
const LATER = /^(closed|completed|cancell?ed|deleted|removed|finished|ended|resolved|archived)$/
const TIME = /^(at|on|date|time|timestamp|last|utc|ts)$/

/** What changes with every change of a record, such as `updatedAt`, in the form of its schema. */
export function changeFields({ fields, writable }: ServiceResource, at: number): Json {
  const entries = fields.flatMap(({ property, schema }): [string, unknown][] => {
    if (writable.includes(property) || !consistsOf(wordsOf(property), [CHANGED])) return []
    const value = toTime(schema, at)
    return value === undefined ? [] : [[property, value]]
  })
  return Object.fromEntries(entries)
}

/**
 * A new record with its times: it was created and last changed now. What happens later, such as `closedAt`, is null or left
 * out if the schema allows it. `given` stays.
 */
export function setTimes(record: Json, given: Json, { fields, record: { schema } }: ServiceResource, at: number): Json {
  let made = record
  for (const { property, schema: each } of fields) {
    const isMade = ownMember(given, property) === undefined && ownMember(made, property) !== undefined
    const words = isMade ? wordsOf(property) : []
    const now = isTime(words) ? toTime(each, at) : undefined
    if (now === undefined) continue
    const { [property]: _, ...others } = made
    const isOfStart = words.some((word) => CREATED.test(word) || CHANGED.test(word))
    if (!isOfStart && isValid(each, null)) made = { ...made, [property]: null }
    else if (isOfStart || !isValid(schema, others)) made = { ...made, [property]: now }
    else made = others
  }
  return made
}

const isTime = (words: readonly string[]) => words.at(-1) === 'at' || consistsOf(words, [CREATED, CHANGED, LATER])

/** `updated_at`, `lastModified` and `updated`, but not `updatedBy`. */
function consistsOf(words: readonly string[], verbs: readonly RegExp[]): boolean {
  const isVerb = (word: string) => verbs.some((verb) => verb.test(word))
  return words.some(isVerb) && words.every((word) => isVerb(word) || TIME.test(word))
}

/** A time in the form of a schema; undefined if it can hold none. */
function toTime(schema: Schema, at: number): unknown {
  const time = new Date(at).toISOString()
  const values = isNumeric(schema) ? [Math.floor(at / 1000)] : [time, time.slice(0, 10)]
  return values.find((value) => isValid(schema, value))
}
