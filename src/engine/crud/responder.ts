import type { Body, SuccessShape } from '../../document/resources/resource.js'
import { itemsOf, propertiesIn, schemaAt } from '../../document/schema/facts.js'
import type { Schema } from '../../document/schema/schema.js'
import type { HandlerResponse } from '../../http/messages.js'
import type { StoredRecord } from '../resources/additions.js'
import { toJsonRecord } from '../resources/record-forms.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { resourceNamed } from '../resources/service-resource.js'
import { enclose } from './envelope.js'
import type { HandlerParts } from './handler.js'
import { createRecordHeaders } from './response-headers.js'

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
  const hasUntypedId = resource.fields.some(({ isId, schema }) => isId && schema.type === undefined && !schema.int64)
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

type Headers = Readonly<Record<string, string>>

/** The response with a record, in the envelope and with the headers that the document declares. */
export type Respond = (record: StoredRecord, headers?: Headers) => HandlerResponse

export function createResponder(
  parts: HandlerParts,
  { status, response, headers }: SuccessShape = parts.operation,
): Respond {
  const { operation, tools } = parts
  const { operationId } = operation
  const toHeaders = createRecordHeaders(headers)
  if (response === undefined) {
    return (record, more) => ({ status, headers: { ...toHeaders?.(record), ...more } })
  }
  const toBody = createBody(parts, response)
  return (record, more) => {
    const body = enclose(response, operationId, toBody(record), tools)
    return toHeaders || more ? { status, body, headers: { ...toHeaders?.(record), ...more } } : { status, body }
  }
}

/** A record as a response has it, in the schema of this response, without what is only written. */
export function createBody(
  { resource, operation, all, tools }: HandlerParts,
  response: Body | undefined,
): (record: StoredRecord) => unknown {
  const inner = response && schemaAt(response.schema.schema, response.envelope)
  const schema = operation === resource.operations.list ? itemsOf(inner ?? {}) : inner
  const stored = resourceNamed(all, resource.storedIn) ?? resource
  const plain = createPresenter(resource, response)
  const isSame = schema === undefined || schema === stored.record.schema
  const present = isSame
    ? plain
    : (record: StoredRecord) =>
        tools.maker?.fit(schema, operation.operationId, toJsonRecord(resource, record)) ?? plain(record)
  const hide = tools.documents?.createHide(schema ?? stored.record.schema)
  return hide ? (record) => hide(present(record)) : present
}

/** The response to a deletion: the record that was deleted, or a message about it. */
export function createMessage(parts: HandlerParts): Respond {
  const { resource, operation, tools } = parts
  const { status, response, operationId } = operation
  if (response === undefined) return () => ({ status })
  const inner = schemaAt(response.schema.schema, response.envelope)
  const properties = propertiesIn(inner)
  const respond = createResponder(parts)
  if (inner === resource.record.schema) return respond
  return (record) => {
    const facts = Object.entries({ ...toJsonRecord(resource, record), ...DELETED })
    const known = Object.fromEntries(facts.filter(([name]) => properties.has(name)))
    const body = tools.maker?.fit(inner, operationId, known)
    return body === undefined ? respond(record) : { status, body: enclose(response, operationId, body, tools) }
  }
}

const DELETED = { deleted: true, success: true, ok: true }
