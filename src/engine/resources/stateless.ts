import type { Contract, DeclaredOperation } from '../contract/contract.js'
import type { HandlerResponse } from '../service.js'
import type { ResourceContext } from './handler.js'
import type { ServiceResource } from './service-resource.js'

/** Answers an operation that belongs to no resource from the document's examples, else from its schema. It keeps nothing. */
export function createStatelessHandler(operationId: string, contract: Contract) {
  return ({ headers }: ResourceContext): HandlerResponse => {
    const operation = contract.operationById(operationId)
    if (operation === undefined || contract.responses === undefined) return { status: 200 }
    return contract.responses.respond(operation, headers.accept)
  }
}

/** The operations that belong to no resource and have no handler of their own. */
export function findStateless(
  contract: Contract,
  resources: readonly ServiceResource[],
  own: object = {},
): Set<string> {
  const generic = resources.flatMap((resource) => Object.values(resource.operations))
  const handled = new Set([...generic.map(({ operationId }) => operationId), ...Object.keys(own)])
  return new Set(contract.operations().flatMap(({ operation }) => (handled.has(operation) ? [] : [operation])))
}

export function markStateless(
  operations: readonly DeclaredOperation[],
  stateless: ReadonlySet<string>,
): readonly DeclaredOperation[] {
  return operations.map((each) => (stateless.has(each.operation) ? { ...each, stateless: true } : each))
}
