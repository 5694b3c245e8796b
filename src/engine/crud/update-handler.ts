import type { ResourceOperation } from '../../document/resources/resource.js'
import { namesNull, propertiesIn, propertiesWithoutChoices, requiredIn, schemaAt } from '../../document/schema/facts.js'
import { ownMember } from '../../lib/values.js'
import type { StoredRecord } from '../resources/additions.js'
import { compilePath, parentIds } from '../resources/parents.js'
import {
  hiddenFields,
  pickWritable,
  type StoredFields,
  toJsonRecord,
  toStoredFields,
  writableFields,
} from '../resources/record-forms.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { collectionOf, createParentCheck, findById, idIn, notFoundIn } from './find.js'
import { createFinder } from './finder.js'
import type { GenericHandler, HandlerParts, ResourceContext, Tools } from './handler.js'
import { checkReferences, createInsert } from './insert.js'
import { alreadyExists } from './messages.js'
import { readRecord } from './record-handlers.js'
import { createResponder } from './responder.js'
import { locationHeader } from './response-headers.js'

type Mode = 'replace' | 'merge'

/**
 * `replace` gives the fields that a request leaves out the defaults of its schema, or removes them; it keeps those that are
 * required and those with a default of the service. `merge` keeps all.
 */
export function createUpdateHandler(mode: Mode) {
  return (parts: HandlerParts): GenericHandler => {
    const { resource, all, tools } = parts
    const find = createFinder(parts)
    const respond = createResponder(parts)
    const upsert = canCreate(parts, mode) ? createUpsert(parts) : undefined
    const preconditions = tools.documents?.createPreconditions(resource)
    const readChanges = createChangeReader(parts, mode === 'replace' && isPartial(parts) ? 'merge' : mode)
    const readPatch = tools.documents?.createPatch(parts)
    const rename = tools.documents?.createRename(resource, all)
    const rules = tools.documents?.createRules(resource, all)
    return (context, change) => {
      const current = find(context)
      preconditions?.check(context.headers, current)
      if (current === undefined && upsert) return upsert(context, change)
      if (current === undefined) throw notFoundIn(resource, context)
      const patched = readPatch?.(context, current)
      const changes = {
        ...(patched?.changes ?? readChanges(context)),
        ...hiddenFields(resource, readRecord(parts, context.body)),
        ...parentIds(resource, context.path),
      }
      const id = rename?.nameIn(patched?.json ?? readRecord(parts, context.body), context.store, current) ?? current.id
      const next = toNext(parts, context, current, { ...changes, id })
      const changed = change?.(next) ?? next
      if (changed === current) return respond(current)
      rules?.check(context, changed, current)
      if (rename && changed.id !== current.id) return respond(rename.store(context.store, current, changed))
      return respond(collectionOf(context.store, resource).replace(changed))
    }
  }
}

/** Whether a request to replace a record may have any part of it, and nothing else changes records: it leaves the rest as it is. */
function isPartial({ resource: { operations }, operation: { request } }: HandlerParts): boolean {
  if (operations.merge !== undefined || request === undefined) return false
  const body = schemaAt(request.schema.schema, request.envelope)
  const [only, ...others] = body.oneOf ?? body.anyOf ?? []
  const sent = only && others.length === 0 ? only : body
  // One of several choices is whole.
  return Object.keys(propertiesWithoutChoices(sent)).length === propertiesIn(sent).size && requiredIn(sent).size === 0
}

/** A record with these changes, in the form that the document requires. Throws an error if it refers to what does not exist. */
export function toNext(
  { resource, all, tools }: Pick<HandlerParts, 'resource' | 'all' | 'tools'>,
  context: ResourceContext,
  current: StoredRecord,
  changes: StoredFields,
): StoredRecord {
  const made = tools.maker?.changeFields(resource, context.at)
  const changed = { ...current, ...(made && toStoredFields(resource, made)), ...changes }
  const next = toValid(changed, resource, tools)
  checkReferences(resource, all, context, next, current)
  return next
}

/** Where the document says so, and where nothing else creates records and an unknown id is no declared error. */
function canCreate(
  { resource: { operations, isSingle }, operation: { created, statuses } }: HandlerParts,
  mode: Mode,
): boolean {
  return (
    created !== undefined || (mode === 'replace' && (isSingle || (!operations.create && !statuses.includes('404'))))
  )
}

function createUpsert(parts: HandlerParts): GenericHandler {
  const { resource, operation } = parts
  const insert = createInsert(parts)
  const checkParents = createParentCheck(parts)
  const respond = createResponder(parts, operation.created ?? operation)
  const { itemPath } = resource
  const toLocation = operation.created?.status === 201 && itemPath !== undefined ? compilePath(itemPath) : undefined
  return (context, change) => {
    checkParents(context)
    const { lookup } = resource.id
    const id = lookup ? undefined : idIn(resource, context)
    if (id === undefined && !lookup && !resource.isSingle) throw notFoundIn(resource, context)
    // Below another parent.
    if (id !== undefined && findById(resource, context.store, id)) throw alreadyExists(resource, id)
    const named = lookup?.map(({ parameter, property }) => [property[0], context.path[parameter]]) ?? []
    const stored = insert(context, { ...readRecord(parts, context.body), ...Object.fromEntries(named) }, id, change)
    if (toLocation === undefined) return respond(stored)
    return respond(stored, locationHeader(`${context.base}${toLocation(context.path)}`))
  }
}

function createChangeReader(parts: HandlerParts, mode: Mode) {
  const { resource, operation, all, tools } = parts
  const fields = writableFields(resource)
  const writable = { ...resource, fields }
  const embed = tools.documents?.createEmbed(resource, all)
  const required = requiredIn(resource.record.schema)
  const removed = mode === 'replace' ? findRemoved(resource, operation, required) : {}
  return ({ store, body }: ResourceContext): StoredFields => {
    const sent = readRecord(parts, body)
    const json = mode === 'replace' ? { ...findDefaults(parts, sent), ...sent } : sent
    if (embed === undefined) return { ...removed, ...toStoredFields(writable, json) }
    const given = embed(store, pickWritable(resource, json))
    // A null that the record cannot have removes what is optional.
    const nulls = fields.filter(({ property, schema }) => given[property] === null && !namesNull(schema))
    const cleared = nulls.filter(({ property }) => !required.has(property)).map(({ stored }) => [stored, undefined])
    const kept = fields.filter((field) => !nulls.includes(field))
    return { ...removed, ...Object.fromEntries(cleared), ...toStoredFields({ ...resource, fields: kept }, given) }
  }
}

/** What a request to replace a record removes if it is left out: what it can have, and the record can lack. */
function findRemoved(
  resource: ServiceResource,
  { request }: ResourceOperation,
  required: ReadonlySet<string>,
): StoredFields {
  const names = propertiesIn(schemaAt(request?.schema.schema ?? {}, request?.envelope ?? []))
  const renamed = Object.entries(resource.sentAs).filter(([name]) => names.has(name))
  const sent = new Set([...names.keys(), ...renamed.map(([, property]) => property)])
  const removed = writableFields(resource).filter(
    ({ property }) => sent.has(property) && !hasOwnDefault(resource, property) && !required.has(property),
  )
  return Object.fromEntries(removed.map(({ stored }) => [stored, undefined]))
}

/** What a request to replace a record sets if it is left out. */
function findDefaults({ resource, operation, tools }: HandlerParts, sent: StoredFields): StoredFields {
  const entries = Object.entries(tools.maker?.requestDefaults(resource, operation.request, sent) ?? {})
  return Object.fromEntries(entries.filter(([property]) => !hasOwnDefault(resource, property)))
}

/** Whether the service has a default for it: a request to replace a record that leaves it out keeps it. */
const hasOwnDefault = ({ additions: { defaults = {} } }: ServiceResource, property: string) =>
  Object.hasOwn(defaults, property)

/** A changed record in the form that the document requires. */
function toValid(record: StoredRecord, resource: ServiceResource, { maker }: Tools): StoredRecord {
  if (maker === undefined) return record
  const json = toJsonRecord(resource, record)
  const fitted = maker.fitRecord(resource, json)
  if (fitted === json) return record
  const left = resource.fields.filter(({ property }) => ownMember(fitted, property) === undefined)
  const removed = Object.fromEntries(left.map(({ stored }) => [stored, undefined]))
  return { ...record, ...removed, ...toStoredFields(resource, fitted), id: record.id }
}
