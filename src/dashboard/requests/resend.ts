import type { RecordedExchange } from '../../engine/reproduction/reproduction.js'
import { findObstacle, hiddenInQuery, splitHeaders, targetOf, toBytes } from '../../snippets/exchange.js'
import { ApiFailure, fetchOrFail, instanceHeader, timeLimit } from '../api.js'

/** Sends a recorded request once more, and resolves with a sentence about the response. */
export async function resend(base: string, exchange: RecordedExchange): Promise<string> {
  const obstacle = findObstacle(exchange, 'fetch')
  if (obstacle !== undefined) throw new ApiFailure('NOT_SENT', `Not sent, because ${obstacle}.`)
  const { request } = exchange
  const { known: headers, hidden } = splitHeaders(request.headers)
  // As bytes, because with a string `fetch` adds a content type.
  const body = toBytes(request)
  const { status } = await fetchOrFail(base + targetOf(request), {
    method: request.method,
    headers: [...headers, ...Object.entries(instanceHeader(base))],
    ...(body && { body }),
    signal: timeLimit(),
  })
  return `Sent it again${describeHidden([...hidden, ...hiddenInQuery(request)])}. Status: ${status}.`
}

/** The end of a sentence about headers that are left out. */
export function describeHidden(names: readonly string[]): string {
  return names.length === 0 ? '' : `, without the secret ${names.join(' and ')}`
}
