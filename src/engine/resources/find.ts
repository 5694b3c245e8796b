import type { Collection } from '../store/collection.js'
import type { AnyCollections, StoredRecord } from './additions.js'
import type { ResourceContext } from './handler.js'
import { notFound } from './messages.js'
import { parentFields } from './parents.js'
import { toGroupText } from './selection.js'
import type { ServiceResource } from './service-resource.js'

/** The collection that stores the records of a resource. */
export function collectionOf(store: AnyCollections, { storedIn }: Pick<ServiceResource, 'storedIn'>) {
  return store[storedIn] as Collection<StoredRecord, string>
}

/** The record that a path names. Throws a 404 error when there is none. */
export function findRecord(
  resource: ServiceResource,
  { store, path }: Pick<ResourceContext, 'store' | 'path'>,
): StoredRecord {
  const collection = collectionOf(store, resource)
  const { id, isSingle, ids } = resource
  const given = id.parameter === undefined ? undefined : path[id.parameter]
  // The parameter may be an integer where the id of a record is a text of digits.
  const key = ids.read(given) ?? ids.read(String(given))
  const found = isSingle ? firstOf(collection, resource, path) : key && collection.get(key)
  if (found === undefined || !isBelow(resource, path, found)) throw notFound(resource, given)
  return found
}

function firstOf(
  collection: Collection<StoredRecord, string>,
  resource: ServiceResource,
  path: ResourceContext['path'],
): StoredRecord | undefined {
  return [...collection.select({})].find((record) => isBelow(resource, path, record))
}

/** Whether it belongs to the parents in the path. */
function isBelow(resource: ServiceResource, path: ResourceContext['path'], record: StoredRecord): boolean {
  return parentFields(resource).every(
    ({ parameter, stored }) => toGroupText(record[stored]) === String(path[parameter]),
  )
}
