import type { OperationId } from '../petstore/types.js'
import type { Difference } from './findings.js'
import { isSuccess } from './resources.js'
import { NoResponse, type OutgoingRequest, readJson, type Send, type ServiceResponse, toGet } from './sender.js'

/** A check cannot be run and is skipped. The message says why. */
export class CannotCheck extends Error {
  override readonly name = 'CannotCheck'
}

/** Sends requests one after the other, and gives up on a service that no longer responds. */
export interface Exchange {
  /** With `mustFinish`, the signal does not abort it: an aborted request might create a record without our knowing. */
  send(operation: OperationId, request: OutgoingRequest, mustFinish?: boolean): Promise<ServiceResponse>
  throwIfStopped(): void
  /** The service has not responded to the last few requests. */
  isSilent(): boolean
}

export interface ExchangeOptions {
  readonly send: Send
  readonly signal?: AbortSignal | undefined
  readonly onDifference?: (difference: Difference) => void
}

/** An operation that did not respond this often is not called again, since each call takes as long as the timeout. */
const MAX_SILENT_CALLS = 2

/** The same for the service as a whole, in a row. */
const MAX_SILENT_IN_A_ROW = 3

export function createExchange({ send, signal, onDifference }: ExchangeOptions): Exchange {
  const silentCalls = new Map<OperationId, number>()
  let silentInARow = 0
  const isSilent = (): boolean => silentInARow >= MAX_SILENT_IN_A_ROW
  const throwIfStopped = (): void => {
    if (signal?.aborted) throw new CannotCheck(STOPPED)
  }

  return {
    throwIfStopped,
    isSilent,
    async send(operation, request, mustFinish = false) {
      if (!mustFinish) throwIfStopped()
      if (isSilent()) throw new CannotCheck(SILENT)
      const calls = silentCalls.get(operation) ?? 0
      if (calls >= MAX_SILENT_CALLS) throw new CannotCheck(`needs ${operation}, which does not respond`)
      try {
        const response = await send(request, mustFinish ? undefined : signal)
        silentInARow = 0
        return response
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error
        if (!mustFinish) throwIfStopped()
        silentInARow += 1
        silentCalls.set(operation, calls + 1)
        const sent = `${request.method} ${request.target}`
        onDifference?.({ operation, aspect: 'response', sent, expected: 'a response', received: error.message })
        throw error
      }
    },
  }
}

export const STOPPED = 'the run was stopped'
export const SILENT = 'the service no longer responds'

/** The service did not respond, or is not called any more. */
export function isGivenUp(error: unknown): error is Error {
  return error instanceof NoResponse || error instanceof CannotCheck
}

/** The result, or the error if the service did not respond. */
export async function orGivenUp<T>(result: Promise<T>): Promise<T | Error> {
  try {
    return await result
  } catch (error) {
    if (isGivenUp(error)) return error
    throw error
  }
}

/** The objects in a list; none if it cannot be read. */
export async function readItems(
  { send }: Exchange,
  list: OperationId,
  target: string,
): Promise<Record<string, unknown>[]> {
  const response = await orGivenUp(send(list, toGet(target), true))
  const items = response instanceof Error || !isSuccess(response) ? undefined : readJson(response.text)
  return Array.isArray(items) ? items.filter((item) => typeof item === 'object' && item !== null) : []
}
