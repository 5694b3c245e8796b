import type { ErrorPlace, ToErrorDraft } from '../../document/contract/error-drafts.js'
import type { Operation } from '../../document/contract/operation.js'
import { ApiError } from '../../http/errors.js'
import { retryAfter } from '../../http/headers.js'
import type { AppliedFault, Delivery, Outcome, PlainResponse, ResponseDraft } from '../../http/messages.js'
import { codeOfStatus } from '../../http/statuses.js'
import { toBytes, utf8Length } from '../../lib/text.js'

/** What a fault does to one request. */
export interface FaultEffect extends AppliedFault {
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly message?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Before the response, or over its length when the kind is `slow`. */
  readonly delayMs: number
  /** Takes back that the rule was applied, because the client was gone before it could see it. Missing if it cannot be used up. */
  readonly giveBack?: (() => void) | undefined
}

/** The response instead of that of the operation; undefined when the operation runs. */
export function toFaultDraft(
  fault: FaultEffect,
  place: ErrorPlace & { readonly operation: Operation },
  toErrorDraft: ToErrorDraft,
): ResponseDraft | undefined {
  const { kind, id } = fault
  if (kind === 'reset' || kind === 'timeout') return { status: 0 }
  if (kind !== 'error') return undefined
  const { status = 500, code = codeOfStatus(status) } = fault
  const { message = `Fault rule ${id} makes ${place.operation.id} fail with ${status}.` } = fault
  const preference = id === undefined ? { 'Preference-Applied': `code=${status}` } : {}
  const headers = { ...retryAfter(status), ...preference }
  return toErrorDraft(new ApiError(status, code, message, { headers }), undefined, place)
}

export function applyFault({ response, trace }: Outcome, { id, kind, delayMs, headers }: FaultEffect): Outcome {
  const fault: AppliedFault = { ...(id !== undefined && { id }), kind }
  const withHeaders = headers === undefined ? response : { ...response, headers: { ...response.headers, ...headers } }
  return { response: changeResponse(withHeaders, kind, delayMs), trace: { ...trace, fault } }
}

function changeResponse(response: PlainResponse, kind: AppliedFault['kind'], delayMs: number): PlainResponse {
  if (kind === 'reset' || kind === 'timeout') return { ...response, headers: {}, delivery: { kind } }
  const { body, bytes } = response
  // Without a body there is nothing to change.
  if (body === undefined && bytes === undefined) return response
  if (kind === 'malformed') return { ...response, ...malform(response) }
  const delivery: Delivery | undefined =
    kind === 'truncate' ? { kind } : kind === 'slow' ? { kind, overMs: delayMs } : undefined
  return delivery ? { ...response, delivery } : response
}

/** JSON cannot end with a comma. The length stays the same: it was announced in a header. */
function malform({ body, bytes }: PlainResponse): Pick<PlainResponse, 'body' | 'bytes'> {
  if (body !== undefined) return { body: body.replace(/.$/su, (last) => ','.repeat(utf8Length(last))) }
  return { bytes: new Uint8Array(toBytes(bytes)).fill(COMMA, -1) }
}

const COMMA = 0x2c

/** How long a fault makes sending a response take, in milliseconds. */
export function sendingMs({ delivery }: PlainResponse): number {
  return delivery?.kind === 'slow' ? delivery.overMs : 0
}

/** Whether the client is not meant to give up: it sees the fault at once. */
export function isImmediate({ kind, delayMs }: FaultEffect): boolean {
  return kind !== 'timeout' && delayMs === 0
}

/** How long the response is held back, in milliseconds. */
export function delayOf({ kind, delayMs }: FaultEffect): number {
  return kind === 'slow' ? 0 : delayMs
}

/** The fault that a client requests for itself. */
export function toPreferredFault(status: number): FaultEffect {
  return { kind: 'error', status, message: `The client requested ${status} with the Prefer header.`, delayMs: 0 }
}
