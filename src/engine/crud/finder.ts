import type { StoredRecord } from '../resources/additions.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { collectionOf, createParentCheck, idIn, lookUp } from './find.js'
import type { HandlerParts, ResourceContext } from './handler.js'
import { createInsert } from './insert.js'

/**
 * Whether records are made when they are first needed. A single record that can be neither created nor deleted always exists.
 * So does a record whose id nobody could know, unless it was deleted.
 */
export function isMadeWhenNeeded({ operations, isSingle, hasUnknownIds, storedIn, name }: ServiceResource): boolean {
  return isSingle ? !operations.create && !operations.remove : hasUnknownIds === true && storedIn === name
}

type Find = (context: ResourceContext) => StoredRecord | undefined

/** Finds the record that a path names, as it is now: with what follows from others. */
export function createFinder(parts: HandlerParts): Find {
  const find = createStoredFinder(parts)
  const follow = parts.tools.documents?.createFollow(parts.resource, parts.all)
  if (follow === undefined) return find
  return (context) => {
    const found = find(context)
    return found && follow(context.store, found)
  }
}

function createStoredFinder(parts: HandlerParts): Find {
  const { resource, tools } = parts
  const findNow = createOtherFinder(parts)
  const jobs = tools.documents?.createJobs(resource, tools.maker)
  const find = (context: ResourceContext) => {
    jobs?.advance(context)
    return findNow(context)
  }
  const findCurrentUser = tools.documents?.createCurrentUserFinder(resource)
  if (findCurrentUser === undefined) return find
  return (context) => {
    const found = findCurrentUser(context)
    return found === undefined ? find(context) : (found ?? undefined)
  }
}

function createOtherFinder(parts: HandlerParts): Find {
  const { resource, tools } = parts
  const readLinked = resource.link && tools.documents?.createLinked(resource, parts.all)
  if (readLinked)
    return (context) => {
      const found = lookUp(resource, context)
      return found && readLinked(context).test(found) ? found : undefined
    }
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
