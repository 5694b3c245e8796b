import type { StoredRecord } from './additions.js'
import { disclose, enclose } from './envelope.js'
import { schemaAt } from './envelopes.js'
import { collectionOf, findRecord } from './find.js'
import type { GenericHandler, ResourceContext } from './handler.js'
import { alreadyExists } from './messages.js'
import { fillPath, parentFields } from './parents.js'
import { createPresenter } from './present.js'
import { readIdOf, toJsonRecord, toStoredFields, toStoredValue } from './record-forms.js'
import { checkReferences, checkUnused } from './references.js'
import type { ResourceOperation } from './resource.js'
import { propertiesIn, requiredIn } from './schema-facts.js'
import type { Field, ServiceResource } from './service-resource.js'
import type { Tools } from './value-maker.js'

type StoredFields = Readonly<Record<string, unknown>>

export function createReadHandler(
  resource: ServiceResource,
  operation: ResourceOperation,
  _all: readonly ServiceResource[],
  tools: Tools,
): GenericHandler {
  const present = createPresenter(resource, operation)
  return (context) => ({
    status: operation.status,
    body: enclose(operation, present(findRecord(resource, context)), tools),
  })
}

export function createCreateHandler(
  resource: ServiceResource,
  operation: ResourceOperation,
  all: readonly ServiceResource[],
  tools: Tools,
): GenericHandler {
  const { status } = operation
  const { itemPath, id } = resource
  const present = createPresenter(resource, operation)
  const fields = writableFields(resource)
  return (context, change) => {
    const { store, path, base } = context
    const collection = collectionOf(store, resource)
    const json = readRecord(operation, context.body)
    const chosen = id.isChosen ? readIdOf(resource, json) : undefined
    if (chosen !== undefined && collection.get(chosen)) throw alreadyExists(resource, chosen)
    const made = tools.maker?.completeRecord(resource, pickFields(fields, json), collection.nextId, context.at)
    const given = {
      ...(made ? toStoredFields(resource, made) : toStoredFields({ ...resource, fields }, json)),
      ...parentIds(resource, path),
    }
    const next = withDefaults(resource, given) as StoredRecord
    checkReferences(resource, all, context, next)
    const values = change?.(next) ?? next
    const stored =
      chosen === undefined ? collection.insert(values) : collection.withId(chosen, () => collection.insert(values))
    const location = itemPath && fillPath(itemPath, { ...path, [id.parameter ?? '']: stored.id })
    return {
      status,
      body: enclose(operation, present(stored), tools),
      ...(status === 201 && location !== undefined && { headers: { Location: `${base}${location}` } }),
    }
  }
}

/** `replace` removes the fields that a request leaves out, unless they have defaults; `merge` keeps them. */
export function createUpdateHandler(mode: 'replace' | 'merge') {
  return (
    resource: ServiceResource,
    operation: ResourceOperation,
    all: readonly ServiceResource[],
    tools: Tools,
  ): GenericHandler => {
    const present = createPresenter(resource, operation)
    const fields = writableFields(resource)
    const nothing = mode === 'replace' ? nothingFor(resource, operation, fields) : {}
    return (context, change) => {
      const current = findRecord(resource, context)
      const json = readRecord(operation, context.body)
      const given = toStoredFields({ ...resource, fields }, json)
      const next = toValid({ ...current, ...nothing, ...given, id: current.id }, resource, tools)
      checkReferences(resource, all, context, next, current)
      const changed = change?.(next) ?? next
      const stored = changed === current ? current : collectionOf(context.store, resource).replace(changed)
      return { status: operation.status, body: enclose(operation, present(stored), tools) }
    }
  }
}

/** What a request to replace a record removes if it is left out: what it can have, and the record can lack. */
function nothingFor(
  { record, additions: { defaults = {} } }: ServiceResource,
  { request }: ResourceOperation,
  fields: readonly Field[],
): StoredFields {
  const sent = propertiesIn(schemaAt(request?.schema.schema ?? {}, request?.envelope ?? []))
  const required = requiredIn(record.schema)
  const removed = fields.filter(({ property, stored }) => !(stored in defaults) && !required.has(property))
  return Object.fromEntries(
    removed.filter(({ property }) => sent.has(property)).map(({ stored }) => [stored, undefined]),
  )
}

/** A changed record in the form that the document requires. */
function toValid(record: StoredRecord, resource: ServiceResource, { maker }: Tools): StoredRecord {
  if (maker === undefined) return record
  const json = toJsonRecord(resource, record)
  const fitted = maker.fitRecord(resource, json)
  return fitted === json ? record : { ...record, ...toStoredFields(resource, fitted), id: record.id }
}

export function createRemoveHandler(
  resource: ServiceResource,
  operation: ResourceOperation,
  all: readonly ServiceResource[],
  tools: Tools,
): GenericHandler {
  const present = createPresenter(resource, operation)
  return (context) => {
    const record = findRecord(resource, context)
    checkUnused(resource, all, context, record.id)
    collectionOf(context.store, resource).remove(record.id)
    const { status, response } = operation
    if (response === undefined) return { status }
    const made = tools.maker?.makeBody(response.schema.schema, record.id)
    return { status, body: made ?? enclose(operation, present(record), tools) }
  }
}

function pickFields(fields: readonly Field[], json: StoredFields): StoredFields {
  return Object.fromEntries(fields.map(({ property }) => [property, json[property]]))
}

/** The fields that a client can set. */
function writableFields({ fields, writable }: ServiceResource) {
  return fields.filter(({ property, isId }) => !isId && writable.includes(property))
}

function readRecord({ request }: ResourceOperation, body: unknown): StoredFields {
  const record = disclose(request?.envelope ?? [], body)
  return (typeof record === 'object' && record !== null ? record : {}) as StoredFields
}

/** The ids of the parents in a path, as a record has them. */
function parentIds(resource: ServiceResource, path: ResourceContext['path']): StoredFields {
  const ids = parentFields(resource).map(({ parameter, stored, field }) => {
    const id = path[parameter]
    return [stored, field === undefined ? String(id) : toStoredValue(id, field)]
  })
  return Object.fromEntries(ids)
}

/** A new record with the defaults of its resource. Each may depend on the fields before it. */
export function withDefaults({ additions }: Pick<ServiceResource, 'additions'>, fields: StoredFields): StoredFields {
  const record: Record<string, unknown> = { ...fields }
  for (const [name, value] of Object.entries(additions.defaults ?? {})) {
    if (record[name] === undefined)
      record[name] = typeof value === 'function' ? value(record as StoredFields as StoredRecord) : value
  }
  return record
}
