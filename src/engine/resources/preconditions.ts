import { ApiError } from '../contract/errors.js'
import type { StoredRecord } from './additions.js'
import type { Preconditions } from './handler.js'
import type { ResourceOperation } from './resource.js'
import { etagOf } from './response-headers.js'
import type { ServiceResource } from './service-resource.js'

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
