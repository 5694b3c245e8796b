import type { GenericHandler } from './handler.js'
import { createListHandler } from './list.js'
import { createCreateHandler, createReadHandler, createRemoveHandler, createUpdateHandler } from './record-handlers.js'
import type { ResourceOperation, Role } from './resource.js'
import type { ServiceResource } from './service-resource.js'
import type { Tools } from './value-maker.js'

export interface ResourceHandler {
  readonly resource: ServiceResource
  readonly role: Role
  readonly handle: GenericHandler
}

const CREATE: { readonly [R in Role]: HandlerFactory } = {
  list: createListHandler,
  create: createCreateHandler,
  read: createReadHandler,
  replace: createUpdateHandler('replace'),
  merge: createUpdateHandler('merge'),
  remove: createRemoveHandler,
}

type HandlerFactory = (
  resource: ServiceResource,
  operation: ResourceOperation,
  all: readonly ServiceResource[],
  tools: Tools,
) => GenericHandler

/** One handler for each operation of the resources, by operationId. */
export function createResourceHandlers(
  resources: readonly ServiceResource[],
  tools: Tools,
): Map<string, ResourceHandler> {
  const handlers = new Map<string, ResourceHandler>()
  for (const resource of resources) {
    for (const [name, operation] of Object.entries(resource.operations)) {
      const role = name as Role
      handlers.set(operation.operationId, {
        resource,
        role,
        handle: CREATE[role](resource, operation, resources, tools),
      })
    }
  }
  return handlers
}
