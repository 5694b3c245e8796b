import type { Body, ResourceOperation } from '../../document/resources/resource.js'
import { isPlainObject } from '../../lib/values.js'
import type { Tools } from './handler.js'
import type { ValueMaker } from './make-values.js'
import type { ListPage } from './paging.js'

/** Puts a record into the envelope of a response. */
export function enclose(response: Body, operationId: string, record: unknown, { maker }: Tools): unknown {
  return response.envelope.length === 0 ? record : fill(response, operationId, record, maker)
}

/** An envelope with a value in it, and with everything else that the document requires. */
function fill({ envelope, schema }: Body, salt: string, value: unknown, maker: ValueMaker | undefined): object {
  const body = maker?.makeBody(schema.schema, salt, { path: envelope, value })
  return {
    ...wrap(envelope, value),
    ...(isPlainObject(body) && body),
    ...(envelope.length === 1 && wrap(envelope, value)),
  }
}

/** Puts a page of a list into the envelope of a response, with what the document says about paging. */
export function encloseList(
  { response, operationId }: ResourceOperation,
  records: readonly unknown[],
  page: ListPage,
  { maker, documents }: Tools,
): unknown {
  if (response === undefined || response.envelope.length === 0) return records
  const body = fill(response, operationId, records, maker)
  return documents?.describePage(body, response.schema.schema, response.envelope, page) ?? body
}

/** Puts a value into an envelope. */
export function wrap(envelope: readonly string[], value: unknown): object {
  return envelope.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object
}

/** Takes the record out of a request body. */
export function disclose(envelope: readonly string[], body: unknown): unknown {
  return envelope.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body)
}
