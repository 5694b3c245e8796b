import type { ServiceDefinition, ServiceTypes } from '../service.js'

/** A request that anybody can try. */
export interface ExampleRequest {
  readonly operation: string
  /** The path, and a query for a few records. */
  readonly target: string
}

type Service = Pick<ServiceDefinition<ServiceTypes>, 'contract' | 'resources' | 'mainResource'>

/** The list of the main resource, or of another one; else any GET whose path has no parameters. Undefined if there is none. */
export function findExampleRequest({ contract, resources, mainResource }: Service): ExampleRequest | undefined {
  const sorted = [...resources].sort((a, b) => Number(b.name === mainResource) - Number(a.name === mainResource))
  for (const { path, operations, list } of sorted) {
    if (operations.list === undefined || path.includes('{')) continue
    const size = list?.paging?.size
    return { operation: operations.list.operationId, target: size === undefined ? path : `${path}?${size}=3` }
  }
  const other = contract.operations().find(({ method, path }) => method === 'GET' && !path.includes('{'))
  return other && { operation: other.operation, target: other.path }
}
