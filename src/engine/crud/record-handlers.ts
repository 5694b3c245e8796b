import type { Id } from '../../lib/int64.js'
import type { AnyCollections, StoredRecord } from '../resources/additions.js'
import { compilePath } from '../resources/parents.js'
import { readIdOf, type StoredFields } from '../resources/record-forms.js'
import { disclose } from './envelope.js'
import { collectionOf, createParentCheck, findById, notFoundIn, pathValues } from './find.js'
import { createFinder } from './finder.js'
import type { Change, GenericHandler, HandlerParts, ResourceContext } from './handler.js'
import { checkUnused, createInsert } from './insert.js'
import { alreadyExists } from './messages.js'
import { createMessage, createResponder } from './responder.js'
import { etagOf, locationHeader } from './response-headers.js'

export function createReadHandler(parts: HandlerParts): GenericHandler {
  const { resource, operation, tools } = parts
  const find = createFinder(parts)
  const respond = createResponder(parts)
  const preconditions = tools.documents?.createPreconditions(resource)
  const canBeUnchanged = operation.statuses.some((status) => /^3(04|XX)$/i.test(status))
  return (context) => {
    const record = find(context)
    if (record === undefined) throw notFoundIn(resource, context)
    if (preconditions?.isUnchanged(context.headers, record) && canBeUnchanged) {
      return { status: 304, headers: { ETag: etagOf(record) } }
    }
    return respond(record)
  }
}

export function createCreateHandler(parts: HandlerParts): GenericHandler {
  const { resource, operation } = parts
  const { itemPath } = resource
  const create = createRecord(parts)
  const respond = createResponder(parts)
  const checkParents = createParentCheck(parts)
  const hasLocation =
    operation.status === 201 ||
    operation.response === undefined ||
    operation.headers.some((name) => /^location$/i.test(name))
  const toLocation = hasLocation && itemPath !== undefined ? compilePath(itemPath) : undefined
  return (context, change) => {
    checkParents(context)
    const stored = create(context, readRecord(parts, context.body), change)
    if (toLocation === undefined) return respond(stored)
    const location = toLocation({ ...(context.sentPath ?? context.path), ...pathValues(resource, stored) })
    return respond(stored, locationHeader(`${context.base}${location}`))
  }
}

/** Stores a new record: under the id that the client chose, if it may choose one, else under its name or a new id. */
export function createRecord(parts: HandlerParts) {
  const { resource } = parts
  const { id } = resource
  const insert = createInsert(parts)
  return (context: ResourceContext, json: StoredFields, change?: Change): StoredRecord => {
    const wanted = id.isAccepted ? readIdOf(resource, json) : undefined
    const isTaken = wanted !== undefined && findById(resource, context.store, wanted) !== undefined
    if (isTaken && id.isChosen) throw alreadyExists(resource, wanted)
    // Where clients need not send an id, a taken one is no error: the record gets a new one.
    const chosen = isTaken ? undefined : (wanted ?? nameIn(parts, context.store, json))
    return insert(context, json, chosen, change)
  }
}

/** The id of a new record that is called by its name in addresses: with a number if another one is called so. */
function nameIn({ resource, tools }: HandlerParts, store: AnyCollections, json: StoredFields): Id | undefined {
  const slug = resource.id.kind.type === 'text' ? tools.maker?.idAfterName(resource, json) : undefined
  if (slug === undefined) return undefined
  for (let number = 1; number <= MAX_SAME_NAMES; number++) {
    const id = resource.ids.read(number === 1 ? slug : `${slug}-${number}`)
    if (id !== undefined && !collectionOf(store, resource).isUsed(id)) return id
  }
  return undefined
}

const MAX_SAME_NAMES = 100

export function createRemoveHandler(parts: HandlerParts): GenericHandler {
  const { resource, all, tools } = parts
  const find = createFinder(parts)
  const removeBelow = tools.documents?.createRemoveBelow(resource, all, tools)
  const respond = createMessage(parts)
  const preconditions = tools.documents?.createPreconditions(resource)
  return (context) => {
    const record = find(context)
    if (record === undefined) throw notFoundIn(resource, context)
    preconditions?.check(context.headers, record)
    checkUnused(resource, all, context, record.id)
    collectionOf(context.store, resource).remove(record.id)
    removeBelow?.(context.store, record.id)
    return respond(record)
  }
}

/** The record in a request, by the names that records have: some properties are sent under another. */
export function readRecord({ resource, operation, tools }: HandlerParts, body: unknown): StoredFields {
  const sent = tools.documents?.mergeParts(body) ?? body
  const record = disclose(operation.request?.envelope ?? [], sent)
  const json = (typeof record === 'object' && record !== null ? record : {}) as StoredFields
  const { sentAs } = resource
  let renamed = json
  for (const name in sentAs) {
    if (json[name] !== undefined) renamed = { ...renamed, [sentAs[name] as string]: json[name] }
  }
  return renamed
}
