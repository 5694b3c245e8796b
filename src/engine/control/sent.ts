import type { PlainRequest, PlainResponse } from '../contract/messages.js'

/** An exchange as it went over the wire, but for the ends of bodies that were too long to be kept. */
export interface SentExchange {
  readonly request: PlainRequest
  readonly response: PlainResponse
}

const exchanges = new WeakMap<object, SentExchange>()

/** Keeps what an entry was made of behind it: for comparing and archiving, not for showing, since it has secrets. */
export function rememberSent(entry: object, exchange: SentExchange): void {
  exchanges.set(entry, exchange)
}

/** Undefined for an entry that no journal handed out, a copy say. */
export function sentOf(entry: object): SentExchange | undefined {
  return exchanges.get(entry)
}
