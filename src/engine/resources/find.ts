import type { Id } from '../../lib/int64.js'
import { hashText } from '../../lib/random.js'
import type { ApiError } from '../contract/errors.js'
import type { Collection } from '../store/collection.js'
import type { AnyCollections, StoredRecord } from './additions.js'
import type { ResourceContext } from './handler.js'
import { notFound } from './messages.js'
import { parentConditions } from './parents.js'
import { OLD_NAME } from './record-forms.js'
import type { ServiceResource } from './service-resource.js'

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
  if (resource.isSingle) return [...collection.select({})].find((record) => isBelow(resource, place, record))
  const id = idIn(resource, place)
  const found = id && findById(resource, place.store, id)
  return found && isBelow(resource, place, found) ? found : undefined
}

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
