import type { Action } from '../../document/operations/meaning.js'
import { notFoundIn, toOwnPath } from '../crud/find.js'
import { createFinder } from '../crud/finder.js'
import type { GenericHandler, MeaningParts } from '../crud/handler.js'
import { atItemPath } from '../resources/parents.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'

export function createActionHandler({ meaning, all, tools, standard }: MeaningParts<Action>): GenericHandler {
  const resource = atItemPath(resourceNamed(all, meaning.resource) as ServiceResource)
  const [operation] = Object.values(resource.operations)
  const find = operation && createFinder({ resource, operation, all, tools })
  return (context) => {
    const own = { ...context, path: toOwnPath(resource, context.path, meaning.parameters) }
    if (find?.(own) === undefined) throw notFoundIn(resource, own)
    return standard(context)
  }
}
