import type { Schema } from '../contract/schema.js'
import type { StoredRecord } from './additions.js'
import { toJsonRecord } from './record-forms.js'
import type { Body } from './resource.js'
import type { ServiceResource } from './service-resource.js'

/**
 * Turns a stored record into what the response of an operation has: not what is only written, such as a password. The serializer of a plain schema reads stored records
 * themselves, which is faster: it writes ids digit by digit.
 */
export function createPresenter(
  resource: ServiceResource,
  response: Body | undefined,
): (record: StoredRecord) => unknown {
  const { record, idPath } = resource
  const fields = resource.fields.filter(({ schema }) => !schema.writeOnly)
  // The serializer writes an id as its schema says, but not as a part of that does.
  const hasUntypedId = resource.fields.some(({ isId, schema }) => isId && schema.type === undefined)
  const hasPlainId = idPath.length === 1 && !hasUntypedId
  if (response === undefined || response.envelope.length > 0 || !hasPlainId || !isPlain(record.schema)) {
    const shown = { ...resource, fields }
    return (stored) => toJsonRecord(shown, stored)
  }
  if (resource.fields.every((field) => field.property === field.stored && fields.includes(field)))
    return (stored) => stored
  return (stored) => {
    const entry: Record<string, unknown> = {}
    for (const field of fields) entry[field.property] = stored[field.stored]
    return entry
  }
}

/** Whether it names all properties of an object, and does not contain itself. */
function isPlain(schema: Schema, passed = new Set<Schema>()): boolean {
  if (passed.has(schema)) return true
  passed.add(schema)
  const { properties, allOf, oneOf, anyOf, additionalProperties } = schema
  if (oneOf !== undefined || anyOf !== undefined || additionalProperties) return false
  return allOf === undefined ? properties !== undefined : allOf.every((part) => isPlain(part, passed))
}
