import type { Id } from '../../lib/int64.js'
import type { ApiError } from '../contract/errors.js'
import type { Collection } from '../store/collection.js'
import type { AnyCollections, StoredRecord } from './additions.js'
import type { ResourceContext } from './handler.js'
import { notFound } from './messages.js'
import { parentFields } from './parents.js'
import { toGroupText } from './selection.js'
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
export function idIn({ id, ids }: ServiceResource, { path }: Pick<Place, 'path'>): Id | undefined {
  const given = id.parameter === undefined ? undefined : path[id.parameter]
  // The parameter may be an integer where the id of a record is a text of digits.
  return ids.read(given) ?? ids.read(String(given))
}

/** The record that a path names, if there is one. */
export function lookUp(resource: ServiceResource, { store, path }: Place): StoredRecord | undefined {
  const collection = collectionOf(store, resource)
  if (resource.isSingle) return [...collection.select({})].find((record) => isBelow(resource, path, record))
  const id = idIn(resource, { path })
  const found = id && collection.get(id)
  return found && isBelow(resource, path, found) ? found : undefined
}

/** Whether it belongs to the parents in the path. */
function isBelow(resource: ServiceResource, path: ResourceContext['path'], record: StoredRecord): boolean {
  return parentFields(resource).every(
    ({ parameter, stored }) => toGroupText(record[stored]) === String(path[parameter]),
  )
}
