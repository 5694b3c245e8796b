import { MockError } from '../contract/errors.js'
import type { AppliedFault } from '../contract/messages.js'
import type { StoreOperationId } from '../contract/types.js'
import { findFaultRuleViolations } from './fault-rule-schema.js'

export type FaultKind = AppliedFault['kind']

/** Which requests fail, how, and how often. A rule that says nothing answers every request with 500. */
export interface FaultRule {
  operation?: StoreOperationId
  method?: string
  /** Exact, or the beginning of a path with `*` at its end. */
  path?: string
  /** 500 unless the code is one of the contract's, which has its own. */
  status?: number
  code?: string
  message?: string
  /** At most ten minutes; of two, any between them. */
  delayMs?: number | readonly [least: number, most: number]
  /** `error` and `delay` go without saying where a status or only a delay is given. */
  kind?: FaultKind
  /** How often it happens. Default: every time. */
  times?: number
  /** How many requests pass first. Default: 0. */
  after?: number
  /** From 0 to 1. Default: 1. */
  probability?: number
  /** By the store's clock. Default: never. */
  expiresAfterMs?: number
}

/** A rule that was added, and what became of it. */
export interface Fault extends FaultRule {
  /** Counts from 1. */
  readonly id: number
  /** How many requests it spoke of. */
  readonly matched: number
  /** How often it happened. */
  readonly applied: number
  /** Whether it can still happen. */
  readonly active: boolean
  /** By the store's clock. */
  readonly addedAt: string
}

export function kindOf({ kind, status, code, message, delayMs }: FaultRule): FaultKind {
  const answers = [status, code, message].some((given) => given !== undefined)
  return kind ?? (delayMs !== undefined && !answers ? 'delay' : 'error')
}

/** A typo in a test's set-up, or parts that do not go together, must be loud. */
export function checkRule(rule: FaultRule): void {
  // Only what has the right shape can be looked at further.
  const problem = findFaultRuleViolations(rule)[0] ?? findContradictions(rule)[0]
  if (problem !== undefined) throw unusable(problem)
}

export function unusable(problem: string): MockError {
  return new MockError('INVALID_FAULT', `the fault rule cannot be used: ${problem}`)
}

function findContradictions(rule: FaultRule): string[] {
  return [...findOutOfReach(rule), ...findUnused(rule)]
}

/** With these a rule would never apply, and its test would pass for nothing. */
function* findOutOfReach({ method, path = '' }: FaultRule): Generator<string> {
  if (method !== undefined && !METHODS.includes(method.toUpperCase())) yield `/method must be ${METHODS.join(', ')}`
  if (path.includes('?') || path.includes('#')) yield '/path must end before the query: a rule looks at the path alone'
  if (path.slice(0, -1).includes('*')) yield '/path may have a * at its end only'
}

/** Those of the document's operations. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

function* findUnused(rule: FaultRule): Generator<string> {
  const kind = kindOf(rule)
  for (const field of ['status', 'code', 'message'] as const) {
    if (rule[field] !== undefined && kind !== 'error') {
      yield `/${field} belongs to an error, but /kind is ${kind}`
    }
  }
  const { delayMs } = rule
  if (delayMs === undefined && (kind === 'delay' || kind === 'slow')) yield `/delayMs is missing: ${kind} needs it`
  if (delayMs !== undefined && kind === 'timeout') yield '/delayMs has no meaning: a timeout never answers'
  if (Array.isArray(delayMs) && delayMs[0] > delayMs[1]) yield '/delayMs must have the smaller number first'
}
