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
    const ids = parentIds(resource, path)
    const given = Object.assign(toStoredFields(writable, sent ?? json), ids)
    const record = made ? Object.assign(toStoredFields(resource, made), ids) : given
    const next = addDefaults(resource, record, given) as StoredRecord
    checkReferences(resource, all, context, next)
    const values = change?.(next) ?? next
    return chosen === undefined ? collection.insert(values) : collection.withId(chosen, () => collection.insert(values))
  }
}

/**
 * Fills in what is not given for a new record with the defaults of its resource, if these are not undefined. Each may depend
 * on the fields before it.
 */
export function addDefaults(
  { additions }: Pick<ServiceResource, 'additions'>,
  record: Record<string, unknown>,
  given: StoredFields = record,
): StoredFields {
  const { defaults = {} } = additions
  for (const name in defaults) {
    if (given[name] !== undefined) continue
    const own = defaults[name]
    const value = typeof own === 'function' ? own(record as StoredFields as StoredRecord) : own
    if (value !== undefined) record[name] = value
  }
  return record
}
