import { codeOfStatus, type ErrorCode, STATUS_BY_CODE, toErrorBody } from '../contract/errors.js'
import type { AppliedFault, Delivery, PlainResponse, Result } from '../contract/messages.js'

/** What happens to one request. */
export interface FaultEffect extends AppliedFault {
  readonly status?: number
  readonly code?: string
  readonly message?: string
  /** Before the answer, or over its length where it is slow. */
  readonly delayMs: number
}

/** A failure that the client asks for itself. */
export function toPreferred(status: number): FaultEffect {
  return { kind: 'error', status, message: `the client asked for ${status} with Prefer`, delayMs: 0 }
}

/** What is answered instead of the operation; undefined where it runs. */
export function toFaultResult(fault: FaultEffect, operation: string): Result | undefined {
  const { kind, id } = fault
  if (kind === 'reset' || kind === 'timeout') return { status: 0 }
  if (kind !== 'error') return undefined
  const status = fault.status ?? statusOf(fault.code)
  const { code = codeOfStatus(status), message = `fault rule ${id} answers ${operation} with ${status}` } = fault
  return {
    status,
    code,
    headers: id === undefined ? { 'Preference-Applied': `code=${status}` } : {},
    body: toErrorBody(code, message, status),
    mediaType: 'application/json',
  }
}

/** A code of the contract brings its status along, those that are only ever asked for included. */
function statusOf(code: string | undefined): number {
  if (code === undefined) return 500
  if (Object.hasOwn(STATUS_BY_CODE, code)) return STATUS_BY_CODE[code as ErrorCode]
  return STATUSES.find((status) => codeOfStatus(status) === code) ?? 500
}

/** All that an error may have. */
const STATUSES = Array.from({ length: 200 }, (_, index) => 400 + index)

/** The answer as it is to arrive. One without a body has nothing that could be spoiled. */
export function applyFault(response: PlainResponse, { id, kind, delayMs }: FaultEffect): PlainResponse {
  const fault: AppliedFault = { ...(id !== undefined && { id }), kind }
  if (kind === 'reset' || kind === 'timeout') return { ...response, headers: {}, delivery: { kind }, fault }
  if (response.body === undefined) return { ...response, fault }
  // A body of the contract ends in a bracket. This is as long, and no JSON.
  if (kind === 'malformed') return { ...response, body: `${response.body.slice(0, -1)},`, fault }
  const delivery: Delivery | undefined =
    kind === 'truncate' ? { kind } : kind === 'slow' ? { kind, overMs: delayMs } : undefined
  return { ...response, fault, ...(delivery && { delivery }) }
}

/** How long the answer is held back. */
export function delayOf({ kind, delayMs }: FaultEffect): number {
  return kind === 'slow' ? 0 : delayMs
}
