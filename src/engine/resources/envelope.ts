import { isPlainObject } from '../../lib/plain-object.js'
import { propertiesOf, type Schema } from '../contract/schema.js'
import type { Page } from './paging.js'
import type { Body, ResourceOperation } from './resource.js'
import type { Tools, ValueMaker } from './value-maker.js'

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
  page: Page & { readonly total: number },
  { maker }: Tools,
): unknown {
  if (response === undefined || response.envelope.length === 0) return records
  const members = pageMembers(propertiesOf(response.schema.schema), records.length, page)
  return { ...fill(response, operationId, records, maker), ...members }
}

/** Puts a value into an envelope. */
export function wrap(envelope: readonly string[], value: unknown): object {
  return envelope.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object
}

/** Takes the record out of a request body. */
export function disclose(envelope: readonly string[], body: unknown): unknown {
  return envelope.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], body)
}

/** Totals and the next page, under the usual names. */
function pageMembers(
  properties: Readonly<Record<string, Schema>>,
  count: number,
  { offset, size, total, cursorAt }: Page & { readonly total: number },
): Record<string, unknown> {
  const hasMore = offset + count < total
  const values: Readonly<Record<string, unknown>> = {
    total,
    totalcount: total,
    totalitems: total,
    totalresults: total,
    count: total,
    offset,
    limit: size,
    hasmore: hasMore,
    page: Math.floor(offset / Math.max(size, 1)) + 1,
    perpage: size,
    pagesize: size,
    totalpages: Math.ceil(total / Math.max(size, 1)),
    ...(hasMore && cursorAt && { nextcursor: cursorAt(offset + count), nextpagetoken: cursorAt(offset + count) }),
  }
  const members = Object.entries(properties).flatMap(([name, schema]) => {
    const value = values[name.toLowerCase().replaceAll(/[^a-z]/g, '')]
    const fits =
      typeof value === 'number' ? schema.type === 'integer' || schema.type === 'number' : typeof value === schema.type
    return value !== undefined && fits ? [[name, value]] : []
  })
  return Object.fromEntries(members)
}
