import type { Id } from '../../lib/int64.js'
import type { StoredRecord } from './additions.js'
import { collectionOf } from './find.js'
import type { Change, HandlerParts, ResourceContext } from './handler.js'
import { parentIds } from './parents.js'
import { pickWritable, type StoredFields, toStoredFields, writableFields } from './record-forms.js'
import { checkReferences } from './references.js'
import type { ServiceResource } from './service-resource.js'

/** Stores a new record with the fields that a request has, under this id or under a new one. */
export type Insert = (context: ResourceContext, json: StoredFields, chosen?: Id, change?: Change) => StoredRecord

export function createInsert({ resource, all, tools }: HandlerParts): Insert {
  const writable = { ...resource, fields: writableFields(resource) }
  const embed = tools.documents?.createEmbed(resource, all)
  return (context, json, chosen, change) => {
    const { store, path, at } = context
    const collection = collectionOf(store, resource)
    const sent = embed?.(store, pickWritable(resource, json))
    const made = sent && tools.maker?.completeRecord(resource, sent, collection.nextId, at)
    const given = made ? toStoredFields(resource, made) : toStoredFields(writable, json)
    const next = addDefaults(resource, Object.assign(given, parentIds(resource, path))) as StoredRecord
    checkReferences(resource, all, context, next)
    const values = change?.(next) ?? next
    return chosen === undefined ? collection.insert(values) : collection.withId(chosen, () => collection.insert(values))
  }
}

/** Fills in what a new record lacks with the defaults of its resource. Each may depend on the fields before it. */
export function addDefaults(
  { additions }: Pick<ServiceResource, 'additions'>,
  record: Record<string, unknown>,
): StoredFields {
  const { defaults = {} } = additions
  for (const name in defaults) {
    const value = defaults[name]
    if (record[name] === undefined)
      record[name] = typeof value === 'function' ? value(record as StoredFields as StoredRecord) : value
  }
  return record
}
