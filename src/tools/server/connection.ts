import type { OutgoingRequest } from '../../http/messages.js'
import { CannotCheck, type NoResponse, orGivenUp, SILENT, STOPPED } from './cannot-check.js'
import type { Difference } from './differences.js'
import { describeRequest, type ServiceOptions, sendRequest } from './send-request.js'
import { isSuccess, type ServiceResponse } from './service-response.js'

/** An operation that did not respond this often is not called again, since each call takes as long as the timeout. */
const MAX_SILENT_CALLS = 2

/** The same for the service as a whole, in a row. */
const MAX_SILENT_IN_A_ROW = 3

export interface Connection {
  throwIfStopped(): void
  /** The service has not responded to the last few requests. */
  isSilent(): boolean
  /**
   * `operation` is undefined for a request that no operation receives. With `mustFinish`, the signal does not abort it:
   * an aborted request might create a record without our knowing.
   */
  send(operation: string | undefined, request: OutgoingRequest, mustFinish?: boolean): Promise<ServiceResponse>
}

/** Sends requests one after the other, and gives up on a service that no longer responds. */
export function connectToService(
  options: ServiceOptions,
  signal?: AbortSignal,
  onDifference?: (found: Difference) => void,
): Connection {
  const silentCalls = new Map<string, number>()
  let silentInARow = 0
  const isSilent = (): boolean => silentInARow >= MAX_SILENT_IN_A_ROW
  const throwIfStopped = (): void => {
    if (signal?.aborted) throw new CannotCheck(STOPPED)
  }

  return {
    throwIfStopped,
    isSilent,
    async send(operation: string | undefined, request: OutgoingRequest, mustFinish = false): Promise<ServiceResponse> {
      if (!mustFinish) throwIfStopped()
      if (isSilent()) throw new CannotCheck(SILENT)
      const calls = operation === undefined ? 0 : (silentCalls.get(operation) ?? 0)
      if (calls >= MAX_SILENT_CALLS) throw new CannotCheck(`needs ${operation}, which does not respond`)
      try {
        const response = await sendRequest(options, request, mustFinish ? undefined : signal)
        silentInARow = 0
        return response
      } catch (error) {
        if (!mustFinish) throwIfStopped()
        silentInARow += 1
        if (operation === undefined) throw error
        silentCalls.set(operation, calls + 1)
        const received = (error as NoResponse).message
        onDifference?.({
          operation,
          aspect: 'response',
          sent: describeRequest(request),
          expected: 'a response',
          received,
        })
        throw error
      }
    },
  }
}

/** The JSON body of a successful GET; undefined if there is none. */
export async function readBody({ send }: Connection, operation: string, request: OutgoingRequest): Promise<unknown> {
  const response = await orGivenUp(send(operation, request, true))
  return response instanceof CannotCheck || !isSuccess(response) ? undefined : response.value
}
