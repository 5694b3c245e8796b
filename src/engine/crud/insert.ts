import { oncePer } from '../../lib/functions.js'
import type { Id } from '../../lib/int64.js'
import { copyData, groupBy } from '../../lib/values.js'
import type { StoredRecord } from '../resources/additions.js'
import { parentIds, parentsAsObjects } from '../resources/parents.js'
import {
  hiddenFields,
  pickWritable,
  type StoredFields,
  toStoredFields,
  writableFields,
} from '../resources/record-forms.js'
import { toGroupText } from '../resources/selection.js'
import { type Field, resourceNamed, type ServiceResource } from '../resources/service-resource.js'
import { collectionOf } from './find.js'
import type { Change, HandlerParts, ResourceContext } from './handler.js'
import { inUse, unknownReference } from './messages.js'

type Rules = Pick<ResourceContext, 'store' | 'options'>

/** Throws an error if a record refers to one that does not exist. What it referred to before is not checked again. */
export function checkReferences(
  { fields, checkedReferences }: ServiceResource,
  all: readonly ServiceResource[],
  { store, options }: Rules,
  next: StoredRecord,
  current?: StoredRecord,
): void {
  if (options.rules === 'off') return
  for (const { property, to } of checkedReferences) {
    const { stored } = fields.find((field) => field.property === property) as Field
    const target = toGroupText(next[stored])
    if (target === undefined || next[stored] === current?.[stored]) continue
    const resource = resourceNamed(all, to) as ServiceResource
    if (collectionOf(store, resource).get(target as Id) === undefined)
      throw unknownReference(property, resource, target)
  }
}

/** Throws an error if other records refer to one that is about to be deleted. */
export function checkUnused(
  resource: ServiceResource,
  all: readonly ServiceResource[],
  { store, options }: Rules,
  id: Id,
): void {
  if (options.rules === 'off') return
  for (const { user, property } of usersByName(all).get(resource.name) ?? []) {
    const count = collectionOf(store, user).countIn(property, id)
    if (count > 0) throw inUse(resource, id, user, count)
  }
}

/** Where records must not refer to one that is deleted, by the resource of that one. */
const usersByName = oncePer((all: readonly ServiceResource[]) => {
  const uses = all.flatMap((user) =>
    user.checkedReferences.flatMap(({ property, to, when }) => (when ? [] : [{ user, property, to }])),
  )
  return groupBy(uses, ({ to }) => to)
})

/** Stores a new record with the fields that a request has, under this id or under a new one. */
export type Insert = (context: ResourceContext, json: StoredFields, chosen?: Id, change?: Change) => StoredRecord

export function createInsert({ resource, all, tools }: HandlerParts): Insert {
  const writable = { ...resource, fields: writableFields(resource) }
  const embed = tools.documents?.createEmbed(resource, all)
  const rules = tools.documents?.createRules(resource, all)
  const jobs = tools.documents?.createJobs(resource, tools.maker)
  return (context, json, chosen, change) => {
    const { store, path, at } = context
    const collection = collectionOf(store, resource)
    const sent = embed?.(store, {
      ...pickWritable(resource, json),
      ...parentsAsObjects(resource, path),
      ...rules?.givenBy(context),
    })
    const made = sent && tools.maker?.completeRecord(resource, sent, collection.nextId, at)
    const ids = parentIds(resource, path)
    const given = Object.assign(toStoredFields(writable, sent ?? json), hiddenFields(resource, json), ids)
    const record = made ? Object.assign(toStoredFields(resource, made), hiddenFields(resource, json), ids) : given
    const complete = addDefaults(resource, record, given) as StoredRecord
    const next = jobs?.start(complete, at) ?? complete
    checkReferences(resource, all, context, next)
    const values = change?.(next) ?? next
    rules?.check(context, values)
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
    const value = typeof own === 'function' ? own(record as StoredFields as StoredRecord) : copyData(own)
    if (value !== undefined) record[name] = value
  }
  return record
}
