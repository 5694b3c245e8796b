import { once } from '../../lib/once.js'
import type { GenericHandler, HandlerParts, Tools } from './handler.js'
import { createListHandler } from './list.js'
import { atItemPath } from './parents.js'
import { createCreateHandler, createReadHandler, createRemoveHandler } from './record-handlers.js'
import type { Role } from './resource.js'
import type { ServiceResource } from './service-resource.js'
import { createUpdateHandler } from './update-handler.js'

export interface ResourceHandler {
  readonly resource: ServiceResource
  readonly role: Role
  readonly handle: GenericHandler
}

const CREATE: { readonly [R in Role]: (parts: HandlerParts) => GenericHandler } = {
  list: createListHandler,
  create: createCreateHandler,
  read: createReadHandler,
  replace: createUpdateHandler('replace'),
  merge: createUpdateHandler('merge'),
  remove: createRemoveHandler,
}

/** One handler for each operation of the resources, by operationId. */
export function createResourceHandlers(all: readonly ServiceResource[], tools: Tools): Map<string, ResourceHandler> {
  const handlers = new Map<string, ResourceHandler>()
  for (const each of all) {
    for (const [name, operation] of Object.entries(each.operations)) {
      const role = name as Role
      const resource = role === 'list' || role === 'create' ? each : atItemPath(each)
      // At the first request: the tools are loaded then.
      const create = once((): GenericHandler => {
        const handle = CREATE[role]({ resource, operation, all, tools })
        const namesIn = tools.documents?.createParentNames(resource, all)
        return namesIn ? (context, change) => handle({ ...context, path: namesIn(context) }, change) : handle
      })
      handlers.set(operation.operationId, {
        resource,
        role,
        handle: (context, change) => create()(context, change),
      })
    }
  }
  return handlers
}
