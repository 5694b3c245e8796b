import type { Outcome } from '../../engine/contract/messages.js'

/** The types whose responses no browser runs as a page. Two types in one header are not among them. */
const INERT = /^(?:application\/(?:json|yaml|octet-stream)|text\/(?:plain|event-stream))(?:;[^,]*)?$/i

/**
 * Keeps browsers from running scripts of a raw override. They would run in the origin of the mock, where they could use its
 * admin API, and the override may come from a reproduction that was received.
 */
export function withoutScripts(outcome: Outcome): Outcome {
  const { headers } = outcome.response
  const { 'Content-Type': type, 'Content-Security-Policy': policy } = headers
  if (type === undefined || INERT.test(type)) return outcome
  // Browsers apply every policy of a list.
  const sandboxed = { ...headers, 'Content-Security-Policy': policy === undefined ? 'sandbox' : `${policy}, sandbox` }
  return { ...outcome, response: { ...outcome.response, headers: sandboxed } }
}
