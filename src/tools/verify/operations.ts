import type { Operation } from '../../document/contract/operation.js'
import type { Role } from '../../document/resources/resource.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import type { CheckedOperation } from '../server/document-requests.js'
import type { CheckedService } from './checked-service.js'

/** What a client needs to know of an operation to call it and to compare its responses. */
export interface OperationInfo extends CheckedOperation {
  /** The resource that it belongs to. */
  readonly resource?: ServiceResource | undefined
  /** The tag it belongs to. */
  readonly group: string
  /** The status of a success. */
  readonly success: number
  /** What it does to the records of its resource. */
  readonly role?: Role | undefined
  /** The resource whose record the first parameter of the path names. */
  readonly owner?: ServiceResource | undefined
}

/** A list of a resource that is not nested in another. */
export interface ListOperation extends OperationInfo {
  readonly resource: ServiceResource
}

export const isListOperation = (operation: OperationInfo): operation is ListOperation =>
  operation.role === 'list' && operation.resource?.parents.length === 0

/** By operationId. */
export type Operations = ReadonlyMap<string, OperationInfo>

/** Every operation of the OpenAPI document, in its order. */
export function readOperations({ document, contract, resources }: CheckedService): Operations {
  const roles = new Map(
    resources.flatMap((resource) =>
      Object.entries(resource.operations).map(([role, described]) => [
        described.operationId,
        { resource, role: role as Role, described },
      ]),
    ),
  )
  const { paths = {} } = document as { paths?: Record<string, Record<string, { tags?: unknown }>> }
  return new Map(
    contract.operations().map(({ operation: id, method, path }): [string, OperationInfo] => {
      const compiled = contract.operationById(id) as Operation
      const [tag] = [paths[path]?.[method.toLowerCase()]?.tags ?? []].flat()
      const item = path.slice(0, path.indexOf('}') + 1)
      const success = Number(Object.keys(compiled.responses).find((status) => /^2\d\d$/.test(status)) ?? 200)
      const info = {
        id,
        method,
        path,
        group: String(tag ?? path.split('/')[1]),
        success: roles.get(id)?.described.status ?? success,
        ...roles.get(id),
        owner: resources.find(({ itemPath }) => itemPath === item),
        contract: compiled,
      }
      return [id, info]
    }),
  )
}
