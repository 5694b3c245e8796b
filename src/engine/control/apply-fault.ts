import { ApiError } from '../contract/errors.js'
import { codeOfStatus } from '../contract/http-statuses.js'
import type { AppliedFault, Delivery, Handled, PlainResponse, Result } from '../contract/messages.js'
import { toErrorResult } from '../contract/render.js'

/** What a fault does to one request. */
export interface FaultEffect extends AppliedFault {
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly message?: string | undefined
  /** Before the response, or over its length when the kind is `slow`. */
  readonly delayMs: number
}

/** The result that replaces the operation; undefined when the operation runs. */
export function toFaultResult(fault: FaultEffect, operation: string): Result | undefined {
  const { kind, id } = fault
  if (kind === 'reset' || kind === 'timeout') return { status: 0 }
  if (kind !== 'error') return undefined
  const { status = 500, code = codeOfStatus(status) } = fault
  const { message = `Fault rule ${id} makes ${operation} fail with ${status}.` } = fault
  const headers = id === undefined ? { 'Preference-Applied': `code=${status}` } : undefined
  return toErrorResult(new ApiError(status, code, message, headers))
}

export function applyFault({ response, trace }: Handled, { id, kind, delayMs }: FaultEffect): Handled {
  const fault: AppliedFault = { ...(id !== undefined && { id }), kind }
  return { response: changeResponse(response, kind, delayMs), trace: { ...trace, fault } }
}

function changeResponse(response: PlainResponse, kind: AppliedFault['kind'], delayMs: number): PlainResponse {
  if (kind === 'reset' || kind === 'timeout') return { ...response, headers: {}, delivery: { kind } }
  // Without a body there is nothing to change.
  if (response.body === undefined) return response
  // JSON bodies end with a bracket. A comma instead makes it invalid without changing its length.
  if (kind === 'malformed') return { ...response, body: `${response.body.slice(0, -1)},` }
  const delivery: Delivery | undefined =
    kind === 'truncate' ? { kind } : kind === 'slow' ? { kind, overMs: delayMs } : undefined
  return delivery ? { ...response, delivery } : response
}

/** How long the response is held back, in milliseconds. */
export function delayOf({ kind, delayMs }: FaultEffect): number {
  return kind === 'slow' ? 0 : delayMs
}
