import type { Action } from '../../document/operations/meaning.js'
import { findRecord, toOwnPath } from '../crud/find.js'
import type { GenericHandler, MeaningParts } from '../crud/handler.js'
import { atItemPath } from '../resources/parents.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'

export function createActionHandler({ meaning, all, standard }: MeaningParts<Action>): GenericHandler {
  const resource = atItemPath(resourceNamed(all, meaning.resource) as ServiceResource)
  return (context) => {
    findRecord(resource, { store: context.store, path: toOwnPath(resource, context.path, meaning.parameters) })
    return standard(context)
  }
}
