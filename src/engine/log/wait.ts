import { describeUnknown, invalidOption, MockError } from '../../http/errors.js'
import { stringifyJson } from '../../lib/json.js'
import { type RequestMatch, toJsonMatch } from '../rules/request-match.js'
import type { JournalEntry } from './journal-entry.js'

export interface WaitOptions {
  /** Only requests with this in their query, headers or body. */
  match?: RequestMatch
  /** Only requests whose response has this status: waits for the responses. */
  status?: number
  /** Only requests after the journal entry with this id. Default: those already in the journal as well. */
  since?: number
  /** How many requests to wait for. Default: 1. */
  times?: number
  /** How long to wait, in milliseconds, at most 600,000. Default: 5,000. */
  timeoutMs?: number
}

export const DEFAULT_TIMEOUT_MS = 5000

const WAIT_OPTIONS = ['match', 'status', 'since', 'times', 'timeoutMs']

/** Ten minutes. No test waits that long. */
const MAX_WAIT_MS = 600_000

/** Throws INVALID_OPTION when an option is unknown or invalid. Match, status and since are checked with the filter. */
export function checkWait(options: WaitOptions): void {
  const unknown = Object.keys(options).find((name) => !WAIT_OPTIONS.includes(name))
  if (unknown !== undefined) throw new MockError('INVALID_OPTION', describeUnknown('option', unknown, WAIT_OPTIONS))
  const { times = 1, timeoutMs = 0 } = options
  if (!isCount(times) || times === 0) throw invalidOption('times', 'a whole number of 1 or more', times)
  if (!isCount(timeoutMs) || timeoutMs > MAX_WAIT_MS) {
    throw invalidOption('timeoutMs', `a number of milliseconds up to ${MAX_WAIT_MS}`, timeoutMs)
  }
}

export function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** How many requests the message lists. */
export const MAX_LISTED = 10

export function describeStatus({ status, pending }: Pick<JournalEntry, 'status' | 'pending'>): string {
  return pending ? 'no response yet' : String(status)
}

/** Says how many requests came in time, and which others. */
export function describeTimeout(
  operation: string,
  { times = 1, timeoutMs = DEFAULT_TIMEOUT_MS, status, match }: WaitOptions,
  found: number,
  last: readonly Pick<JournalEntry, 'method' | 'path' | 'status' | 'pending'>[],
): string {
  const condition = { ...(status !== undefined && { status }), ...(match && { match: toJsonMatch(match) }) }
  const wanted = Object.keys(condition).length === 0 ? operation : `${operation} with ${stringifyJson(condition)}`
  const received = last.map((each) => `\n  ${each.method} ${each.path} → ${describeStatus(each)}`)
  const others = received.length === 0 ? 'It received nothing.' : `The last requests it received:${received.join('')}`
  return `Timed out after ${timeoutMs} ms: the mock received ${found} of ${times} requests of ${wanted}. ${others}`
}
