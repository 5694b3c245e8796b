import type { ServiceResource } from '../../engine/resources/service-resource.js'
import { type Id, isInt64, toId } from '../../lib/int64.js'
import { parseIfJson, type ServiceResponse } from '../service-response.js'
import { isView, type Resources } from './resources.js'

/** An id as it is spelled in a request. */
export interface Reference {
  readonly resource: ServiceResource
  /** The property of the body. Missing for an id in a path. */
  readonly property?: string
  readonly text: string
}

/** The ids in a body, also in one that is not valid JSON. An `id` is of the resource that the path is about. */
export function referencesIn(resource: ServiceResource, body: string, resources: Resources): Reference[] {
  const targets = new Map([...resources.all, resource].flatMap(targetsOf))
  targets.set(nameOfId(resource), resource.storedIn)
  const names = [...targets.keys()].map((name) => name.replaceAll(/\W/g, '\\$&')).join('|')
  const pattern = new RegExp(`"(${names})"\\s*:\\s*("[^"]*"|[^\\s,}]+)`, 'g')
  return Array.from(body.matchAll(pattern), ([, property = '', value = '']) => {
    const number = parseIfJson(value)
    // JSON has several spellings of an integer: 7 is 7.0.
    const text = isInt64(number) ? toId(number) : value.replaceAll('"', '')
    return { resource: resources.get(targets.get(property) as string), property, text }
  })
}

const nameOfId = ({ idPath }: ServiceResource): string => idPath.at(-1) as string

/** The properties that hold the id of a record, with the name of its resource. */
function targetsOf(resource: ServiceResource): (readonly [property: string, name: string])[] {
  const references = Object.entries(resource.references)
  return isView(resource) ? [...references, [nameOfId(resource), resource.storedIn]] : references
}

/** The id in the header `Location`, if it leads to a record below this path. */
export function idInLocation({ ids }: ServiceResource, { headers }: ServiceResponse, path: string): Id | undefined {
  const location = headers.get('Location')
  return location?.startsWith(`${path}/`) ? ids.read(location.slice(path.length + 1)) : undefined
}
