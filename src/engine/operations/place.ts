import type { PathRecord } from '../../document/operations/meaning.js'
import { notFoundIn, toOwnPath } from '../crud/find.js'
import { createFinder } from '../crud/finder.js'
import type { MeaningParts, ResourceContext } from '../crud/handler.js'
import type { StoredRecord } from '../resources/additions.js'
import { atItemPath } from '../resources/parents.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'

/** The record that a path names, and the context as operations of its resource have it. */
export interface Place {
  readonly record: StoredRecord
  readonly context: ResourceContext
}

/** Finds the record that a path names. Throws a 404 error if there is none. */
export function createPlaceFinder(
  { resource: name, parameters }: PathRecord,
  { meaning, all, tools }: MeaningParts,
): (context: ResourceContext) => Place {
  const resource = atItemPath(resourceNamed(all, name) as ServiceResource)
  const find = createFinder({ resource, operation: meaning.operation, all, tools })
  const namesIn = tools.documents?.createParentNames(resource, all)
  return (given) => {
    const own = { ...given, path: toOwnPath(resource, given.path, parameters) }
    const context = namesIn ? { ...own, path: namesIn(own) } : own
    const record = find(context)
    if (record === undefined) throw notFoundIn(resource, context)
    return { record, context }
  }
}

/** The values of a path by the parameters of the parents of a resource. */
export function toParentPath(
  path: ResourceContext['path'],
  parents: Readonly<Record<string, string>>,
): ResourceContext['path'] {
  return Object.fromEntries(Object.entries(parents).map(([own, parameter]) => [own, path[parameter]]))
}
