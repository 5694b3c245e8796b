import type { Schema } from '../contract/schema.js'
import type { StoredRecord } from './additions.js'
import { toJsonRecord } from './record-forms.js'
import type { Body } from './resource.js'
import type { ServiceResource } from './service-resource.js'

/**
 * Turns a stored record into what the response of an operation has. The serializer of a plain schema reads stored records
 * themselves, which is faster: it writes ids digit by digit.
 */
export function createPresenter(
  resource: ServiceResource,
  response: Body | undefined,
): (record: StoredRecord) => unknown {
  const { fields, record, id } = resource
  if (response === undefined || response.envelope.length > 0 || id.canChange || !isPlain(record.schema)) {
    return (stored) => toJsonRecord(resource, stored)
  }
  if (fields.every(({ property, stored }) => property === stored)) return (stored) => stored
  return (stored) => {
    const entry: Record<string, unknown> = {}
    for (const field of fields) entry[field.property] = stored[field.stored]
    return entry
  }
}

/** Whether it names all properties of an object, and does not contain itself. */
function isPlain({ properties, allOf, oneOf, anyOf, additionalProperties }: Schema): boolean {
  if (oneOf !== undefined || anyOf !== undefined || additionalProperties) return false
  return allOf === undefined ? properties !== undefined : allOf.every(isPlain)
}
