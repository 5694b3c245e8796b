import type { Role } from '../../document/resources/resource.js'
import { disclose } from '../../engine/crud/envelope.js'
import { readIdOf } from '../../engine/resources/record-forms.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import type { Id } from '../../lib/int64.js'
import { decodePercent } from '../../lib/text.js'
import { isObject, objectsIn, type ServiceResponse } from '../server/service-response.js'
import type { CheckedService } from './checked-service.js'

export interface Resources {
  readonly all: readonly ServiceResource[]
  get(name: string): ServiceResource
  /** Those that store records, in an order in which these can be deleted. */
  readonly stored: ServiceResource[]
}

/** The resources of a service. */
export function createResources({ resources: all }: CheckedService): Resources {
  return {
    all,
    get: (name: string) => all.find((resource) => resource.name === name) as ServiceResource,
    stored: sortForDeletion(all.filter((resource) => !isView(resource))),
  }
}

/** Whether its entries show records of another resource, and have their ids. */
export const isView = ({ name, storedIn }: ServiceResource): boolean => name !== storedIn

/** Whether its records are at a path of their own, with one parameter. Only those are created, changed and deleted. */
export const isPlain = ({ path, itemPath, isSingle }: ServiceResource): boolean =>
  !isSingle && !path.includes('{') && itemPath?.split('{').length === 2

/** A resource that refers to another comes before it. */
function sortForDeletion(resources: readonly ServiceResource[]): ServiceResource[] {
  const seen = new Set<ServiceResource>()
  const visit = (resource: ServiceResource): ServiceResource[] => {
    if (seen.has(resource)) return []
    seen.add(resource)
    const users = resources.filter(({ references }) => Object.values(references).includes(resource.name))
    return [...users.flatMap(visit), resource]
  }
  return resources.flatMap(visit)
}

/** The record or the list in the body of a response, without its envelope. */
export function contentOf({ operations }: ServiceResource, role: Role, body: unknown): unknown {
  return disclose(operations[role]?.response?.envelope ?? [], body)
}

/** The id of the record in a response. */
export function idInBody(resource: ServiceResource, role: Role, body: unknown): Id | undefined {
  const record = contentOf(resource, role, body)
  return isObject(record) ? readIdOf(resource, record) : undefined
}

/** The id in the header `Location`, if it leads to a record below this path. */
export function idInLocation({ ids }: ServiceResource, { headers }: ServiceResponse, path: string): Id | undefined {
  const location = headers.get('Location')
  return location?.startsWith(`${path}/`) ? ids.read(decodePercent(location.slice(path.length + 1))) : undefined
}

/** The records in the body of a list. */
export function itemsIn(resource: ServiceResource, body: unknown): Record<string, unknown>[] {
  return objectsIn(contentOf(resource, 'list', body))
}
