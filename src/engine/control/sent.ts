import type { PlainRequest, PlainResponse } from '../contract/messages.js'

/** A request and response as they were sent, apart from bodies that were cut. */
export interface SentExchange {
  readonly request: PlainRequest
  readonly response: PlainResponse
}

const exchanges = new WeakMap<object, SentExchange>()

/** For comparing and HAR. Not for display: it contains secrets. */
export function attachSent(entry: object, exchange: SentExchange): void {
  exchanges.set(entry, exchange)
}

/** Undefined for an entry that does not come from a journal, such as a copy. */
export function sentOf(entry: object): SentExchange | undefined {
  return exchanges.get(entry)
}
