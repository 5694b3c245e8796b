import type { Attach, Detach } from '../../document/operations/meaning.js'
import { findDeclaredStatus } from '../../http/statuses.js'
import type { Id } from '../../lib/int64.js'
import { isPlainObject } from '../../lib/values.js'
import { enclose } from '../crud/envelope.js'
import { collectionOf, findById, notFoundIn, toOwnPath } from '../crud/find.js'
import { createFinder, isMadeWhenNeeded } from '../crud/finder.js'
import type { GenericHandler, MeaningParts, ResourceContext } from '../crud/handler.js'
import { createHolding } from '../crud/links.js'
import { notFound } from '../crud/messages.js'
import { createBody, createResponder } from '../crud/responder.js'
import type { StoredRecord } from '../resources/additions.js'
import { atItemPath } from '../resources/parents.js'
import { readIdOf } from '../resources/record-forms.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'

/** Attaches existing records to the one that the path names, or detaches them: none is created or deleted. */
export function createLinkHandler(parts: MeaningParts<Attach | Detach>): GenericHandler {
  const { meaning, all, tools, standard } = parts
  const at = atItemPath(resourceNamed(all, meaning.at) as ServiceResource)
  const other = resourceNamed(all, meaning.other) as ServiceResource
  const holding = createHolding(meaning.link, all)
  const find = createFinder({ resource: at, operation: meaning.operation, all, tools })
  const respond = createLinkResponder(parts, at, other)
  const readOthers = createReader(meaning, other)
  if (holding === undefined) return standard
  const isHolder = holding.holder.name === meaning.at

  /** What a record holds after some are attached, or detached. */
  function change(ids: readonly Id[], changed: ReadonlySet<Id>): readonly Id[] {
    return meaning.kind === 'detach' ? ids.filter((id) => !changed.has(id)) : [...new Set([...ids, ...changed])]
  }

  return (context) => {
    const { store, path } = context
    const place = { ...context, path: toOwnPath(at, path, meaning.parameters) }
    const record = find(place)
    if (record === undefined) throw notFoundIn(at, place)
    const changed = new Set(readOthers(context, new Set(holding.idsIn(record)), isHolder))
    if (isHolder) holding.hold(store, record, change(holding.idsIn(record), changed), tools)
    else
      for (const id of changed) {
        const each = collectionOf(store, holding.holder).get(id)
        if (each) holding.hold(store, each, change(holding.idsIn(each), new Set([record.id])), tools)
      }
    return respond(context, record.id, [...changed])
  }
}

/** Reads the ids of what a request attaches or detaches. Throws a 404 error if there is none with such an id. */
function createReader({ given, kind, operation: { statuses } }: Attach | Detach, other: ServiceResource) {
  const declared = Object.fromEntries(statuses.map((status) => [status, true]))
  const isRequired = 'parameter' in given || [404, 422, 400].some((status) => findDeclaredStatus(declared, status))
  return ({ store, path, body }: ResourceContext, held: ReadonlySet<Id>, isHolder: boolean): readonly Id[] => {
    const values =
      'parameter' in given
        ? [path[given.parameter]]
        : [
            given.property.reduce<unknown>((value, name) => (isPlainObject(value) ? value[name] : undefined), body),
          ].flat()
    return values.flatMap((value) => {
      if (value === undefined || value === null) return []
      const text = isPlainObject(value)
        ? readIdOf(other, value)
        : (other.ids.read(value) ?? other.ids.read(String(value)))
      const found = text && findById(other, store, text)?.id
      const id = found ?? findByName(other, store, given, value) ?? (isMadeWhenNeeded(other) ? text : undefined)
      const isDetached = kind === 'detach' && 'parameter' in given && isHolder && id && !held.has(id)
      if (id !== undefined && !isDetached) return [id]
      if (isRequired) throw notFound(other, isPlainObject(value) ? text : value)
      return []
    })
  }
}

/** By the property that the request has it from, if that is not the id: a company has an `id` beside its `company_id`. */
function findByName(
  other: ServiceResource,
  store: ResourceContext['store'],
  given: (Attach | Detach)['given'],
  value: unknown,
): Id | undefined {
  const name = 'parameter' in given ? given.parameter : given.property.at(-1)
  const field = other.fields.find(({ property, isId }) => property === name && !isId)
  if (field === undefined || isPlainObject(value)) return undefined
  return [...collectionOf(store, other).select({})].find((each) => String(each[field.stored]) === String(value))?.id
}

function createLinkResponder(
  { meaning, all, tools, standard }: MeaningParts<Attach | Detach>,
  at: ServiceResource,
  other: ServiceResource,
) {
  const { shows, showsList, operation } = meaning
  const { response, status } = operation
  const resource = shows === meaning.at ? at : other
  const respond = createResponder({ resource, operation, all, tools })
  const follow = tools.documents?.createFollow(resource, all)
  const find = ({ store }: ResourceContext, of: ServiceResource, id: Id) => {
    const found = collectionOf(store, of).get(id)
    return found && of === resource ? (follow?.(store, found) ?? found) : found
  }
  return (context: ResourceContext, id: Id, changed: readonly Id[]) => {
    if (response === undefined) return { status }
    if (showsList) {
      const records = changed.flatMap((each) => find(context, other, each) ?? [])
      const list = { ...other, operations: { ...other.operations, list: operation } }
      const present = createBody({ resource: list, operation, all, tools }, response)
      return { status, body: enclose(response, operation.operationId, records.map(present), tools) }
    }
    const shown: StoredRecord | undefined =
      shows === undefined ? undefined : find(context, resource, shows === meaning.at ? id : (changed[0] as Id))
    return shown === undefined ? standard(context) : respond(shown)
  }
}
