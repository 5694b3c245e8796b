import { type Id, isInt64, parseAnyId, parseId, toId } from '../../lib/int64.js'
import type { Kind } from '../resources.js'
import { memberOf, parseIfJson, type ServiceResponse } from '../service-response.js'

/** An id as it is spelled in a request. */
export interface Reference {
  readonly kind: Kind
  readonly text: string
}

const REFERENCE = /"(id|petId|categoryId)"\s*:\s*("[^"]*"|[^\s,}]+)/g

/** The ids in a body, also in one that is not valid JSON. An `id` is of the kind that the path is about. */
export function referencesIn(kind: Kind, body: string): Reference[] {
  return Array.from(body.matchAll(REFERENCE), ([, name, value = '']) => {
    const number = parseIfJson(value)
    return {
      kind: name === 'petId' ? 'pet' : name === 'categoryId' ? 'category' : kind,
      // JSON has several spellings of an integer: 7 is 7.0.
      text: isInt64(number) ? toId(number) : value.replaceAll('"', ''),
    }
  })
}

/** The id of the record in a response. */
export function idInBody(response: ServiceResponse): Id | undefined {
  return parseAnyId(memberOf(response, 'id'))
}

/** The id in the header `Location`, if it leads to a record below this path. */
export function idInLocation({ headers }: ServiceResponse, path: string): Id | undefined {
  const location = headers.get('Location')
  return location?.startsWith(`${path}/`) ? parseId(location.slice(path.length + 1)) : undefined
}
