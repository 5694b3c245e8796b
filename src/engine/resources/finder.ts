import type { StoredRecord } from './additions.js'
import { collectionOf, idIn, lookUp } from './find.js'
import type { HandlerParts, ResourceContext } from './handler.js'
import { createInsert } from './insert.js'
import { createParentCheck } from './parent-check.js'
import type { ServiceResource } from './service-resource.js'

/**
 * Whether records are made when they are first needed. A single record that can be neither created nor deleted always exists.
 * So does a record of a collection that can be neither listed nor added to, unless it was deleted: nobody could know its ids.
 */
export function isMadeWhenNeeded({ operations, isSingle, storedIn, name }: ServiceResource): boolean {
  const { create, remove, list } = operations
  return isSingle ? !create && !remove : !create && !list && storedIn === name
}

/** Finds the record that a path names. */
export function createFinder(parts: HandlerParts): (context: ResourceContext) => StoredRecord | undefined {
  const { resource, tools } = parts
  if (!isMadeWhenNeeded(resource)) return (context) => lookUp(resource, context)
  const insert = createInsert(parts)
  const checkParents = createParentCheck(parts)
  return (context) => {
    const found = lookUp(resource, context)
    if (found || tools.maker === undefined) return found
    checkParents(context)
    if (resource.isSingle) return insert(context, {})
    const id = idIn(resource, context)
    const isNew = id !== undefined && !collectionOf(context.store, resource).isUsed(id)
    return isNew ? insert(context, {}, id) : undefined
  }
}
