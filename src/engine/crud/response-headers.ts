import type { ResourceOperation } from '../../document/resources/resource.js'
import { RATE_LIMITS } from '../../document/words/headers.js'
import { ApiError } from '../../http/errors.js'
import { isHeaderValue } from '../../http/header-rules.js'
import { stringifyJson } from '../../lib/json.js'
import { hashText } from '../../lib/random.js'
import type { StoredRecord } from '../resources/additions.js'
import type { ServiceResource } from '../resources/service-resource.js'
import type { Preconditions } from './handler.js'

type Headers = Readonly<Record<string, string>>

/** The declared headers that have a sensible value in every response of an operation. */
export function constantHeaders(names: readonly string[]): Headers {
  const entries = names.flatMap((name) => {
    const found = RATE_LIMITS.find(([pattern]) => pattern.test(name))
    return found ? [[name, found[1]]] : []
  })
  return Object.fromEntries(entries)
}

/** The declared headers of a response with a record; undefined if there are none. */
export function createRecordHeaders(names: readonly string[]): ((record: StoredRecord) => Headers) | undefined {
  const constant = constantHeaders(names)
  if (names.some((name) => name.toLowerCase() === 'etag')) return (record) => ({ ...constant, ETag: etagOf(record) })
  return Object.keys(constant).length > 0 ? () => constant : undefined
}

/** Undefined if no client could read it, because of a very long id or a letter in the path of the document. */
export function locationHeader(url: string): Headers | undefined {
  return isHeaderValue(url) ? { Location: url } : undefined
}

/** A strong validator: another one after every change of the record. */
export function etagOf(record: StoredRecord): string {
  const text = stringifyJson(record) ?? ''
  return `"${[text, `${text.length}${text}`].map((each) => hashText(each).toString(16).padStart(8, '0')).join('')}"`
}

/** Undefined if the document declares neither these headers nor `ETag` for any operation of the resource. */
export function createPreconditions({ operations }: Pick<ServiceResource, 'operations'>): Preconditions | undefined {
  return Object.values(operations).some(hasPreconditions) ? PRECONDITIONS : undefined
}

function hasPreconditions({ headers, requestHeaders }: ResourceOperation): boolean {
  const isEtag = (name: string) => name.toLowerCase() === 'etag'
  return headers.some(isEtag) || requestHeaders.includes('if-match') || requestHeaders.includes('if-none-match')
}

const PRECONDITIONS: Preconditions = {
  check(headers, current) {
    const { 'if-match': wanted, 'if-none-match': unwanted } = headers
    if (wanted !== undefined && !matches(wanted, current)) throw preconditionFailed('If-Match', wanted)
    if (unwanted !== undefined && matches(unwanted, current)) throw preconditionFailed('If-None-Match', unwanted)
  },
  isUnchanged: ({ 'if-none-match': known }, current) => known !== undefined && matches(known, current),
}

function preconditionFailed(header: string, value: string): ApiError {
  const message = `The record does not meet ${header}: ${value}. Read it again for its current ETag.`
  return new ApiError(412, 'PRECONDITION_FAILED', message)
}

function matches(header: string, record: StoredRecord | undefined): boolean {
  if (record === undefined) return false
  if (header.trim() === '*') return true
  const etag = etagOf(record)
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === etag)
}
