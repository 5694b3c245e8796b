import { keyOf, parameterOf, readPath } from '../../document/resources/envelopes.js'
import type { Lookup } from '../../document/resources/resource.js'
import type { ApiError } from '../../http/errors.js'
import { findDeclaredStatus } from '../../http/statuses.js'
import { oncePer } from '../../lib/functions.js'
import type { Id } from '../../lib/int64.js'
import { hashText } from '../../lib/random.js'
import type { AnyCollections, StoredRecord } from '../resources/additions.js'
import { atItemPath, parentConditions } from '../resources/parents.js'
import { OLD_NAME, valueAt } from '../resources/record-forms.js'
import { toGroupText } from '../resources/selection.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { resourceNamed } from '../resources/service-resource.js'
import type { Collection } from '../store/collection.js'
import type { HandlerParts, ResourceContext } from './handler.js'
import { notFound } from './messages.js'

type Place = Pick<ResourceContext, 'store' | 'path'>

/** The collection that stores the records of a resource. */
export function collectionOf(store: AnyCollections, { storedIn }: Pick<ServiceResource, 'storedIn'>) {
  return store[storedIn] as Collection<StoredRecord, string>
}

/** The record that a path names. Throws a 404 error when there is none. */
export function findRecord(resource: ServiceResource, place: Place): StoredRecord {
  const found = lookUp(resource, place)
  if (found === undefined) throw notFoundIn(resource, place)
  return found
}

export function notFoundIn(resource: ServiceResource, { path }: Pick<Place, 'path'>): ApiError {
  return notFound(resource, path[resource.id.parameter ?? ''])
}

/** The id that a path has for a record; undefined if it is none of this kind. */
export function idIn({ id, ids, operations }: ServiceResource, { path }: Pick<Place, 'path'>): Id | undefined {
  const given = id.parameter === undefined ? undefined : path[id.parameter]
  if (given === undefined) return undefined
  // The parameter may be an integer where the id of a record is a text of digits.
  const read = ids.read(given) ?? ids.read(String(given))
  if (read !== undefined || operations.create || operations.list) return read
  // No operation shows the ids, so any text names a record, also where they are numbers.
  return ids.read(hashText(String(given)) >>> 1)
}

/** The record that a path names, if there is one. */
export function lookUp(resource: ServiceResource, place: Place): StoredRecord | undefined {
  const collection = collectionOf(place.store, resource)
  const { lookup } = resource.id
  if (lookup) return findBy(lookup, resource, place)
  if (resource.isSingle) return [...collection.select({})].find((record) => isBelow(resource, place, record))
  const id = idIn(resource, place)
  const found = id && findById(resource, place.store, id)
  if (found) return isBelow(resource, place, found) ? found : undefined
  const { also, parameter = '' } = resource.id
  return also === undefined ? undefined : findBy([{ parameter, property: [also] }], resource, place)
}

/** The record whose properties have the values of a path. Its id is known as well: what is below it has a path with that. */
function findBy(lookup: readonly Lookup[], resource: ServiceResource, place: Place): StoredRecord | undefined {
  const wanted = lookup.map(({ parameter, property }) => ({ property, value: String(place.path[parameter]) }))
  const found = [...collectionOf(place.store, resource).select({})].find(
    (record) =>
      wanted.every(({ property, value }) => toGroupText(valueAt(resource, record, property)) === value) &&
      isBelow(resource, place, record),
  )
  if (found || !resource.id.lookup) return found
  const id = idIn(resource, place)
  const other = id && findById(resource, place.store, id)
  return other && isBelow(resource, place, other) ? other : undefined
}

/** The parameters of a path that finds a record. */
export function pathValues(resource: ServiceResource, record: StoredRecord): Place['path'] {
  const { lookup, parameter = '' } = resource.id
  if (!lookup) return { [parameter]: record.id }
  return Object.fromEntries(lookup.map((each) => [each.parameter, valueAt(resource, record, each.property)]))
}

/** Whether a record has the id that a parameter has, in a path of the document: its own id, or that of a parent. */
export function hasRecord(
  all: readonly ServiceResource[],
  store: AnyCollections,
  path: string,
  parameter: string,
  value: unknown,
): boolean {
  const { segments } = readPath(path)
  const resource = byItemPath(all).get(keyOf(segments.slice(0, segments.indexOf(`{${parameter}}`) + 1)))
  // The contract checks one parameter, and this record may be found by several.
  if (resource?.id.lookup) return true
  const id = resource?.ids.read(value) ?? resource?.ids.read(String(value))
  return resource !== undefined && id !== undefined && findById(resource, store, id) !== undefined
}

const byItemPath = oncePer(
  (all: readonly ServiceResource[]) =>
    new Map(all.flatMap((each) => (each.itemPath === undefined ? [] : [[readPath(each.itemPath).key, each] as const]))),
)

/** A record that was renamed is found under its first name, too. */
export function findById(resource: ServiceResource, store: AnyCollections, id: Id): StoredRecord | undefined {
  const collection = collectionOf(store, resource)
  const found = collection.get(id)
  if (found || !resource.id.canChange) return found
  return collection.select({ group: { by: OLD_NAME, value: id } }).slice(0, 1)[0]
}

/** Whether it belongs to the parents in the path. The id alone counts where no operation shows those of the parents. */
function isBelow(resource: ServiceResource, { store, path }: Place, record: StoredRecord): boolean {
  if (resource.parents.length === 0) return true
  const collection = collectionOf(store, resource)
  const conditions = parentConditions(resource, path, (each) => !resource.isSingle || collection.isUnchanged(each))
  return conditions.every(({ test }) => test(record))
}

/** Throws a 404 error if a parent in the path does not exist, and the document declares one. */
export function createParentCheck({ resource, operation, all }: HandlerParts): (context: ResourceContext) => void {
  const { parents } = resource
  const parameters = parents.map(({ parameter }) => parameter)
  const checked = parents.flatMap((parent) => {
    const found = resourceNamed(all, parent.resource)
    return found ? [atItemPath(found)] : []
  })
  if (checked.length === 0 || !declaresUnknown(operation)) return () => {}
  return ({ store, path }) => {
    for (const parent of checked) findRecord(parent, { store, path: toOwnPath(parent, path, parameters) })
  }
}

/** The values of a path by the parameters of the resource's own path, which may have other names. */
export function toOwnPath(
  { itemPath, parents, id }: ServiceResource,
  path: Place['path'],
  parameters: readonly string[],
): Place['path'] {
  const own =
    itemPath === undefined ? undefined : readPath(itemPath).segments.flatMap((each) => parameterOf(each) ?? [])
  const names = own ?? [...parents.map(({ parameter }) => parameter), id.parameter ?? '']
  return Object.fromEntries(names.map((name, index) => [name, path[parameters[index] ?? '']]))
}

function declaresUnknown({ statuses }: HandlerParts['operation']): boolean {
  const responses = Object.fromEntries(statuses.map((status) => [status, true]))
  return [404, 410].some((status) => findDeclaredStatus(responses, status) !== undefined)
}
