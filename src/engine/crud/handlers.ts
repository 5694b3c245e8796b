import type { Contract, DeclaredOperation } from '../../document/contract/contract.js'
import { isStateless, type Meaning } from '../../document/operations/meaning.js'
import type { Role } from '../../document/resources/resource.js'
import type { HandlerResponse } from '../../http/messages.js'
import { once } from '../../lib/functions.js'
import type { StoredRecord } from '../resources/additions.js'
import { atItemPath } from '../resources/parents.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { lookUp } from './find.js'
import type { GenericHandler, HandlerParts, ResourceContext, Tools } from './handler.js'
import { createListHandler } from './list.js'
import { createCreateHandler, createReadHandler, createRemoveHandler } from './record-handlers.js'
import { createUpdateHandler } from './update-handler.js'

export interface ResourceHandler {
  readonly resource: ServiceResource
  readonly handle: GenericHandler
  /** The record that the path names, if it names one and there is one. */
  findRecord(context: ResourceContext): StoredRecord | undefined
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
      const isOfRecord = role !== 'list' && role !== 'create'
      // At the first request: the tools are loaded then.
      const made = once(() => ({
        handle: CREATE[role]({ resource, operation, all, tools }),
        namesIn: tools.documents?.createParentNames(resource, all),
        jobs: role === 'list' ? tools.documents?.createJobs(resource, tools.maker) : undefined,
        keepFile: isOfRecord || role === 'create' ? tools.documents?.createFileKeeper(resource) : undefined,
        findCurrentUser: tools.documents?.createCurrentUserFinder(resource),
      }))
      const named = (context: ResourceContext) => {
        const { namesIn } = made()
        return namesIn ? { ...context, path: namesIn(context), sentPath: context.path } : context
      }
      handlers.set(operation.operationId, {
        resource,
        handle(context, change) {
          const { handle, keepFile, jobs } = made()
          jobs?.advance(context)
          if (keepFile === undefined) return handle(named(context), change)
          return handle(named(context), (next) => {
            const filled = keepFile(next, context.body)
            return change?.(filled) ?? filled
          })
        },
        findRecord(context) {
          if (!isOfRecord) return undefined
          const user = made().findCurrentUser?.(context)
          return user === undefined ? lookUp(resource, named(context)) : (user ?? undefined)
        },
      })
    }
  }
  return handlers
}

/** Answers an operation that belongs to no resource from the document's examples, else from its schema. It keeps nothing. */
export function createStatelessHandler(operationId: string, contract: Contract) {
  return ({ headers }: ResourceContext): HandlerResponse => {
    const operation = contract.operationById(operationId)
    if (operation === undefined || contract.responses === undefined) return { status: 200 }
    return contract.responses.respond(operation, headers.accept)
  }
}

/** The operations that belong to no resource, mean nothing that is known, and have no handler of their own. */
export function findStateless(
  contract: Contract,
  resources: readonly ServiceResource[],
  meanings: readonly Meaning[],
  own: object = {},
): Set<string> {
  const generic = resources.flatMap((resource) => Object.values(resource.operations))
  const known = meanings.filter((meaning) => !isStateless(meaning))
  const handled = new Set([...[...generic, ...known].map(({ operationId }) => operationId), ...Object.keys(own)])
  return new Set(contract.operations().flatMap(({ operation }) => (handled.has(operation) ? [] : [operation])))
}

/** What each operation was understood as. Those of the service's own are what it says. */
export function findKinds(
  resources: readonly ServiceResource[],
  meanings: readonly Meaning[],
  own: object = {},
): ReadonlyMap<string, string> {
  const roles = resources.flatMap(({ operations }) => Object.entries(operations))
  const all = [
    ...roles.map(([role, { operationId }]) => [operationId, role] as const),
    ...meanings.map(({ operationId, kind }) => [operationId, kind] as const),
  ]
  return new Map(all.filter(([operation]) => !Object.hasOwn(own, operation)))
}

export function markOperations(
  operations: readonly DeclaredOperation[],
  stateless: ReadonlySet<string>,
  kinds: ReadonlyMap<string, string>,
): readonly DeclaredOperation[] {
  return operations.map((each) => {
    const meaning = kinds.get(each.operation)
    return {
      ...each,
      ...(stateless.has(each.operation) && { stateless: true as const }),
      ...(meaning !== undefined && { meaning }),
    }
  })
}
