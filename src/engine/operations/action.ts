import type { Action } from '../../document/operations/meaning.js'
import { isValid } from '../../document/sample/fit-value.js'
import { namesNull, requiredIn } from '../../document/schema/facts.js'
import { isEqualJson, ownMember } from '../../lib/values.js'
import { collectionOf } from '../crud/find.js'
import type { GenericHandler, HandlerParts, MeaningParts, ResourceContext, Tools } from '../crud/handler.js'
import { wrongState } from '../crud/messages.js'
import { readRecord } from '../crud/record-handlers.js'
import { createResponder } from '../crud/responder.js'
import { toNext } from '../crud/update-handler.js'
import type { StoredRecord } from '../resources/additions.js'
import { atItemPath } from '../resources/parents.js'
import { type StoredFields, toJsonRecord, toStoredFields } from '../resources/record-forms.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'
import { createPlaceFinder } from './place.js'
import { createRepeat, sentIn } from './repeat.js'

/** Does to the record that the path names what the meaning says. */
export function createActionHandler(given: MeaningParts<Action>): GenericHandler {
  const { meaning, all, tools, standard } = given
  const resource = atItemPath(resourceNamed(all, meaning.resource) as ServiceResource)
  const parts = { resource, operation: meaning.operation, all, tools }
  const rules = tools.documents?.createRules(resource, all)
  const keepFile = tools.documents?.createFileKeeper(resource)
  const find = createPlaceFinder(meaning, given)
  const readShared = meaning.stores ? createSharedReader(parts) : undefined
  const respond = meaning.showsRecord ? createResponder(parts) : undefined
  const repeat = createRepeat(meaning.operation)
  const isOwn = (name: string) => resource.fields.some(({ property }) => property === name)
  /** States that only the response has. */
  const shown = Object.entries(meaning.set).filter(([name, value]) => value !== 'now' && value !== null && !isOwn(name))

  return (context, change) => {
    const { record: current, context: place } = find(context)
    checkState(resource, meaning, current)
    const changes = { ...setFields(resource, meaning.set, context.at, tools), ...readShared?.(place) }
    const isChanged = Object.keys(changes).length > 0
    const next = isChanged ? toNext(parts, place, current, changes) : current
    const filled = keepFile?.(next, context.body) ?? next
    const changed = change?.(filled) ?? filled
    rules?.check(context, changed, current)
    const stored = changed === current ? current : collectionOf(context.store, resource).replace(changed)
    const json = toJsonRecord(resource, stored)
    const states = Object.entries(json).filter(([name]) => Object.hasOwn(meaning.set, name))
    const sent = Object.entries(sentIn(context)).filter(([name]) => !meaning.showsRecord || !isOwn(name))
    const response = respond?.(stored) ?? standard(context)
    return repeat(response, Object.fromEntries([...sent, ...shown, ...states]))
  }
}

/** Reads what a request shares with the record, as far as the record can have it. */
export function createSharedReader(
  parts: HandlerParts,
): (context: Pick<ResourceContext, 'store' | 'body'>) => StoredFields {
  const { resource, all, tools } = parts
  const embed = tools.documents?.createEmbed(resource, all)
  return ({ store, body }) => {
    const given = readRecord(parts, body)
    const sent = resource.fields.filter(({ property, isId }) => !isId && ownMember(given, property) !== undefined)
    const shared = Object.fromEntries(sent.map(({ property }) => [property, given[property]]))
    const embedded = embed?.(store, shared) ?? shared
    const fields = sent.filter(({ property, schema }) => isValid(schema, embedded[property]))
    return toStoredFields({ ...resource, fields }, embedded)
  }
}

/** Throws an error if the record has none of the values that allow the action. */
function checkState(resource: ServiceResource, { from = {} }: Action, record: StoredRecord): void {
  const json = toJsonRecord(resource, record)
  for (const [property, allowed] of Object.entries(from)) {
    const value = json[property]
    if (!allowed.some((each) => isEqualJson(each, value ?? null)))
      throw wrongState(resource, record.id, property, value, allowed)
  }
}

/** What an action sets, as the store has it. */
export function setFields(resource: ServiceResource, set: Action['set'], at: number, { maker }: Tools): StoredFields {
  const required = requiredIn(resource.record.schema)
  const fields = resource.fields.filter(({ property, isId }) => !isId && Object.hasOwn(set, property))
  const entries = fields.flatMap(({ property, stored, schema }): [string, unknown][] => {
    const value = set[property]
    if (value === null && !namesNull(schema)) return required.has(property) ? [] : [[stored, undefined]]
    return [[stored, value === 'now' ? (maker?.toTime(schema, at) ?? value) : value]]
  })
  return Object.fromEntries(entries)
}
