import type { HandlerResponse } from '../service.js'
import type { StoredRecord } from './additions.js'
import { enclose } from './envelope.js'
import { schemaAt } from './envelopes.js'
import type { HandlerParts } from './handler.js'
import { createPresenter } from './present.js'
import { toJsonRecord } from './record-forms.js'
import type { Body, SuccessShape } from './resource.js'
import { createRecordHeaders } from './response-headers.js'
import { itemsOf, propertiesIn } from './schema-facts.js'

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
  const stored = all.find(({ name }) => name === resource.storedIn) ?? resource
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
