import { disclose } from '../../engine/resources/envelope.js'
import { readIdOf } from '../../engine/resources/record-forms.js'
import type { Role } from '../../engine/resources/resource.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import type { Id } from '../../lib/int64.js'
import { isObject, objectsIn } from '../service-response.js'
import type { CheckedService } from './checked-service.js'

export type JsonId = ReturnType<ServiceResource['ids']['toJson']>

export type Resources = ReturnType<typeof createResources>

/** The resources of a service, and how to find the one that a request is about. */
export function createResources({ resources, contract, changing = {}, affecting = {} }: CheckedService) {
  const paths = contract.operations().map(({ path }) => path)
  const all = [...resources].sort((one, other) => paths.indexOf(one.path) - paths.indexOf(other.path))
  const get = (name: string) => all.find((resource) => resource.name === name) as ServiceResource

  return {
    /** In the order of the document. */
    all,
    get,
    /** Those that store records, in an order in which these can be deleted. */
    stored: sortForDeletion(all.filter((resource) => !isView(resource))),
    isChanging: ({ name }: ServiceResource, property: string): boolean => changing[name]?.includes(property) ?? false,
    isAffecting: ({ name }: ServiceResource, property: string): boolean => affecting[name]?.includes(property) ?? false,
    /** The resource that a path is about, and the id in it as it is spelled there. */
    ofTarget(target: string): { resource?: ServiceResource; id?: string | undefined } {
      const [path = ''] = target.split('?', 1)
      const found = all.filter((each) => path === each.path || path.startsWith(`${each.path}/`))
      const [resource] = found.sort((one, other) => other.path.length - one.path.length)
      return resource ? { resource, id: path.slice(resource.path.length).split('/')[1] } : {}
    },
  }
}

/** Whether its entries show records of another resource, and have their ids. */
export const isView = ({ name, storedIn }: ServiceResource): boolean => name !== storedIn

/** What a record is called in the report. */
export const labelOf = (resource: ServiceResource): string => (isView(resource) ? resource.name : resource.noun)

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

/** The records in the body of a list. */
export function itemsIn(resource: ServiceResource, body: unknown): Record<string, unknown>[] {
  return objectsIn(contentOf(resource, 'list', body))
}

/** The query for many records of a list, the last ones by id if `fromEnd`. Undefined if it cannot be sorted like that. */
export function queryFor({ list, idPath }: ServiceResource, size: number, fromEnd = false): string | undefined {
  if (fromEnd && list?.sort === undefined) return undefined
  const members = [
    ...(list?.paging?.size === undefined ? [] : [`${list.paging.size}=${size}`]),
    ...(fromEnd ? [`${list?.sort}=-${idPath[0]}`] : []),
  ]
  return members.join('&')
}
