import type { Bulk } from '../../document/operations/meaning.js'
import { findSpelling, normalize } from '../../document/resources/names.js'
import { isValid } from '../../document/sample/fit-value.js'
import { isNumeric, itemsOf, propertiesIn, schemaAt, typesOf } from '../../document/schema/facts.js'
import type { Schema } from '../../document/schema/schema.js'
import { COUNT_DONE, COUNT_MISSING, MISSING } from '../../document/words/bulk.js'
import type { HandlerResponse } from '../../http/messages.js'
import { findDeclaredStatus } from '../../http/statuses.js'
import type { Id } from '../../lib/int64.js'
import { isPlainObject, type Json } from '../../lib/values.js'
import { disclose, wrap } from '../crud/envelope.js'
import { collectionOf, findById, notFoundIn } from '../crud/find.js'
import type { GenericHandler, MeaningParts, ResourceContext } from '../crud/handler.js'
import { checkUnused } from '../crud/insert.js'
import { createRecord } from '../crud/record-handlers.js'
import { createResponder } from '../crud/responder.js'
import { toNext } from '../crud/update-handler.js'
import type { StoredRecord } from '../resources/additions.js'
import { atItemPath, parentConditions } from '../resources/parents.js'
import { readIdOf, toJsonRecord } from '../resources/record-forms.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'
import { atomically } from '../store/atomically.js'
import { createSharedReader, setFields } from './action.js'
import { toParentPath } from './place.js'
import { createRepeat, sentIn } from './repeat.js'

/** What was sent for one record, and the record; without one, there is none of this id. */
interface Result {
  readonly sent: unknown
  readonly record?: StoredRecord | undefined
}

/** Does the same to each record of a list, in its order. */
export function createBulkHandler(parts: MeaningParts<Bulk>): GenericHandler {
  const { meaning, all, tools } = parts
  const { does, parents, items, operation } = meaning
  const resource = withItems(resourceNamed(all, meaning.resource) as ServiceResource, meaning)
  const own = { resource, operation, all, tools }
  const create = createRecord(own)
  const readShared = createSharedReader({ ...own, operation: { ...operation, request: undefined } })
  const removeBelow = tools.documents?.createRemoveBelow(resource, all, tools)
  const rules = tools.documents?.createRules(resource, all)
  const report = createReport(parts, resource)

  function find(context: ResourceContext, sent: unknown): StoredRecord | undefined {
    const id = isPlainObject(sent)
      ? readIdOf(resource, sent)
      : (resource.ids.read(sent) ?? resource.ids.read(String(sent)))
    const found = id === undefined ? undefined : findById(resource, context.store, id)
    const conditions = parentConditions(atParents(resource, parents), context.path, () => false)
    return found && conditions.every(({ test }) => test(found)) ? found : undefined
  }

  function removeOthers(context: ResourceContext, done: readonly Result[]): void {
    const kept = new Set(done.map(({ record }) => record?.id))
    const collection = collectionOf(context.store, resource)
    const conditions = parentConditions(atParents(resource, parents), context.path, (each) =>
      collection.isUnchanged(each),
    )
    const others = [...collection.select({})].filter(
      (each) => !kept.has(each.id) && conditions.every(({ test }) => test(each)),
    )
    // One may be below another, and gone with it.
    for (const { id } of others) if (collection.get(id)) remove(context, id)
  }

  function remove(context: ResourceContext, id: Id): void {
    checkUnused(resource, all, context, id)
    collectionOf(context.store, resource).remove(id)
    removeBelow?.(context.store, id)
  }

  function act(context: ResourceContext, sent: unknown): Result {
    const json = isPlainObject(sent) ? sent : {}
    const current = does === 'create' ? undefined : find(context, sent)
    const isNew =
      does === 'create' || (does === 'change' && !current && isPlainObject(sent) && !readIdOf(resource, sent))
    if (isNew) return { sent, record: create(context, json) }
    if (current === undefined || does === 'read') return { sent, record: current }
    if (does === 'remove') {
      remove(context, current.id)
      return { sent, record: current }
    }
    const changes = {
      ...setFields(resource, meaning.set, context.at, tools),
      ...readShared({ ...context, body: json }),
    }
    const next = toNext(own, context, current, changes)
    rules?.check(context, next, current)
    return { sent, record: collectionOf(context.store, resource).replace(next) }
  }

  return (given) => {
    const context = { ...given, path: toParentPath(given.path, parents) }
    const list = 'path' in items ? disclose(items.path, given.body) : listOf(given.query[items.parameter])
    const sent = Array.isArray(list) ? list : meaning.isOne ? [list] : []
    const missing = does === 'create' ? [] : sent.filter((each) => hasId(resource, each) && !find(context, each))
    const [first] = missing
    if (missing.length > 0 && !report.tellsMissing && (meaning.isOne || report.declaresUnknown))
      throw notFoundIn(resource, { path: { [resource.id.parameter ?? '']: idOf(resource, first) } })
    // All or nothing.
    const results = atomically(() => {
      const done = sent.map((each) => act(context, each))
      if (meaning.replacesAll) removeOthers(context, done)
      return done
    })
    return report.respond(given, results)
  }
}

const hasId = (resource: ServiceResource, sent: unknown) =>
  !isPlainObject(sent) || readIdOf(resource, sent) !== undefined

const idOf = (resource: ServiceResource, sent: unknown) => (isPlainObject(sent) ? readIdOf(resource, sent) : sent)

/** A query parameter may have several values, or one with commas. */
function listOf(value: unknown): readonly unknown[] {
  return [value ?? []].flat().flatMap((each) => (typeof each === 'string' ? each.split(',') : [each]))
}

const atParents = (resource: ServiceResource, parents: Bulk['parents']): ServiceResource => ({
  ...resource,
  parents: resource.parents.filter(({ parameter }) => Object.hasOwn(parents, parameter)),
})

/** The resource, whose records have what this request says of each. */
function withItems(given: ServiceResource, { items, operation, parents }: Bulk): ServiceResource {
  const list = 'path' in items ? schemaAt(operation.request?.schema.schema ?? {}, items.path) : {}
  const properties = given.fields.filter(({ isId }) => !isId).map(({ property }) => property)
  const sent = [...propertiesIn(itemsOf(list) ?? {}).keys()].flatMap((name) => findSpelling(properties, name) ?? [])
  return { ...atParents(atItemPath(given), parents), writable: [...new Set([...given.writable, ...sent])] }
}

function createReport({ meaning, all, tools, standard }: MeaningParts<Bulk>, resource: ServiceResource) {
  const { operation, does, showsList } = meaning
  const { response, statuses } = operation
  const properties = propertiesIn(response?.schema.schema ?? {})
  const named = (name: RegExp, isFitting: (schema: Schema) => boolean) =>
    [...properties].find(([key, schema]) => name.test(normalize(key)) && isFitting(schema))?.[0]
  const missingName = named(MISSING, (schema) => typesOf(schema).has('array'))
  const doneName = named(COUNT_DONE, isNumeric)
  const failedName = named(COUNT_MISSING, isNumeric)
  const envelope = response?.envelope ?? []
  const item = itemsOf(schemaAt(response?.schema.schema ?? {}, envelope)) ?? {}
  const hide = tools.documents?.createHide(item)
  const repeat = createRepeat(operation)
  const respondWithOne = meaning.isOne ? createResponder({ resource, operation, all, tools }) : undefined

  function show({ sent, record }: Result): unknown {
    if (record === undefined) return sent
    const id = resource.ids.toJson(record.id)
    if (!propertiesIn(item).size && isValid(item, id)) return id
    const json = toJsonRecord(resource, record)
    const known = does === 'remove' ? { ...json, ...DONE } : json
    const shown = tools.maker?.fit(item, operation.operationId, known) ?? (does === 'remove' ? sent : json)
    return hide ? hide(shown) : shown
  }

  return {
    tellsMissing: missingName !== undefined || failedName !== undefined,
    declaresUnknown: findDeclaredStatus(Object.fromEntries(statuses.map((each) => [each, true])), 404) !== undefined,
    respond(context: ResourceContext, results: readonly Result[]): HandlerResponse {
      const done = results.filter(({ record }) => record !== undefined)
      const missing = results.filter(({ record }) => record === undefined).map(({ sent }) => idOf(resource, sent))
      const facts: Json = {
        ...sentIn(context),
        ...(missingName !== undefined && { [missingName]: missing }),
        ...(doneName !== undefined && { [doneName]: done.length }),
        ...(failedName !== undefined && { [failedName]: missing.length }),
      }
      const [first] = done
      if (respondWithOne && first?.record) return respondWithOne(first.record)
      const answer = standard(context)
      if (!showsList) return repeat(answer, facts)
      const list = done.map(show)
      const body = envelope.length === 0 ? list : { ...Object(answer.body), ...wrap(envelope, list) }
      return repeat({ ...answer, body }, facts)
    },
  }
}

const DONE = { deleted: true, success: true, ok: true }
