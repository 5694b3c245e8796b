import type { Contract } from '../../document/contract/contract.js'
import { operationIdOf } from '../../document/schema/route.js'
import type { Validate } from '../../document/validate/validators.js'
import { describeViolation } from '../../document/validate/violations.js'
import { validators } from '../../generated/engine/rules/rule-validators.js'
import { MockError } from '../../http/errors.js'
import { type GivenHeaders, toResponseHeaders } from '../../http/headers.js'
import { METHODS } from '../../http/methods.js'
import { quote } from '../../lib/text.js'
import { isKind } from '../../lib/values.js'
import { type FaultKind, faultKindOf } from './fault-kind.js'
import type { RequestMatch } from './request-match.js'
import { findMatchProblem } from './request-match.js'

/** Which requests fail, how, and how often. An empty rule makes every request fail with 500. */
export type FaultRule<OperationId extends string = string> = FaultFields<OperationId> & KindWithDelay

/** What a rule does to one request. */
export type FaultStep = StepFields & KindWithDelay

type KindWithDelay =
  | { kind?: Exclude<FaultKind, 'delay' | 'slow'> }
  | { kind: 'delay' | 'slow'; delayMs: NonNullable<FaultFields['delayMs']> }

/** The fields of a rule. */
export interface FaultFields<OperationId extends string = string> {
  operation?: OperationId
  method?: string
  /** A whole path, or the start of one followed by `*`. With or without the path of the document's server. */
  path?: string
  /** Which of these requests, by query, headers or body. Default: all. */
  match?: RequestMatch
  /** Default: the status that belongs to `code`, or 500. */
  status?: number
  code?: string
  message?: string
  /** Added to the response. A list of values is for `Set-Cookie` only. Default: `Retry-After: 1` with 429 and 503. */
  headers?: GivenHeaders
  /** In milliseconds, at most 600,000: a number, or a random one between two. Default: 0. */
  delayMs?: number | readonly [min: number, max: number]
  /** Default: `delay` when only `delayMs` is given, otherwise `error`. */
  kind?: FaultKind
  /** How many requests it applies to. Default: all. */
  times?: number
  /** How many matching requests to let pass first. Default: 0. */
  after?: number
  /** How likely it applies to a request, from 0 to 1. Default: 1. */
  probability?: number
  /** When it stops applying, by the mock's clock. Default: never. */
  expiresAfterMs?: number
  /** Whether it applies at all. Default: true. */
  enabled?: boolean
  /**
   * What happens to each request in turn, instead of `status`, `code`, `message`, `headers`, `delayMs` and `kind`. `pass` lets a
   * request through. After the last entry, the rule no longer applies. Default: the same for all.
   */
  sequence?: readonly (FaultStep | 'pass')[]
}

/** The fields of a step. */
export type StepFields = Pick<FaultFields, 'status' | 'code' | 'message' | 'headers' | 'delayMs' | 'kind'>

/** What a rule does to each request in turn; without a sequence, to every request. */
export function stepsOf(rule: FaultFields): readonly (StepFields | 'pass')[] {
  return rule?.sequence ?? [rule]
}

/** New values for some fields of a rule. `null` removes a field. */
export type FaultChange<OperationId extends string = string> = {
  [Field in keyof FaultFields<OperationId>]?: FaultFields<OperationId>[Field] | null
} & {
  /** The place in the list, from 1. The first rule that applies decides. */
  position?: number
}

/** A rule that was added, and how often it was used. */
export interface Fault<OperationId extends string = string> extends FaultFields<OperationId> {
  /** Starts at 1. */
  readonly id: number
  /** How many requests it matched. */
  readonly matched: number
  /** How many requests it was applied to. */
  readonly applied: number
  /** Whether it can still apply. */
  readonly active: boolean
  /** By the mock's clock. */
  readonly addedAt: string
}

/** The headers that a rule adds. Throws INVALID_FAULT when HTTP does not allow one. */
export function headersOfStep({ headers = {} }: StepFields): Record<string, string> {
  return toResponseHeaders(headers, (problem) => {
    throw new MockError('INVALID_FAULT', `The fault rule ${problem}`)
  })
}

/** Throws INVALID_FAULT or UNKNOWN_OPERATION: a typo or a contradiction in a test's set-up must not go unnoticed. */
export function checkRule(rule: FaultFields, contract: Contract): void {
  // Its functions would be listed as headers.
  for (const step of [rule, rule?.sequence ?? []].flat()) {
    if (step !== 'pass' && isKind(step?.headers, 'Headers')) headersOfStep(step)
  }
  // Contradictions can only be found in a rule of the right shape.
  rejectRule(findSchemaViolation(rule) ?? findMatchProblem(rule.match) ?? findContradictions(rule)[0])
  if (rule.operation !== undefined) contract.requireOperation(rule.operation)
  rejectRule(findUnreachable(rule, contract))
}

function rejectRule(problem: string | undefined): void {
  if (problem !== undefined) throw new MockError('INVALID_FAULT', `Invalid fault rule: ${problem}`)
}

function findSchemaViolation(rule: unknown, place = ''): string | undefined {
  const validate = validators.schemas.FaultRule as Validate
  validate(rule)
  const [error] = validate.errors ?? []
  return error && describeViolation(error, (pointer) => place + pointer || 'the rule')
}

function findContradictions(rule: FaultFields): string[] {
  return [...findNeverMatching(rule), ...(rule.sequence ? findWrongSteps(rule, rule.sequence) : findUnused(rule))]
}

const STEP_FIELDS = ['status', 'code', 'message', 'headers', 'delayMs', 'kind']

function* findWrongSteps(rule: FaultFields, sequence: readonly (StepFields | 'pass')[]): Generator<string> {
  const field = [...STEP_FIELDS, 'times'].find((name) => name in rule)
  if (field !== undefined) yield `/${field} has no effect beside /sequence`
  for (const [index, step] of sequence.entries()) {
    if (step === 'pass') continue
    const place = `/sequence/${index}`
    if (typeof step !== 'object' || step === null) {
      yield `${place} must be an object or "pass"`
      continue
    }
    const violation = findSchemaViolation(step, place)
    if (violation !== undefined) yield violation
    const unknown = Object.keys(step).find((name) => !STEP_FIELDS.includes(name))
    if (unknown !== undefined) yield `${place}/${unknown} belongs in the rule itself`
    for (const problem of findUnused(step)) yield place + problem
  }
}

/** Conditions that no request can match: the test would pass without the fault. */
function* findNeverMatching({ method, path = '' }: FaultFields): Generator<string> {
  if (method !== undefined && !METHODS.includes(method.toUpperCase()))
    yield `/method must be one of ${METHODS.join(', ')}`
  if (path.includes('?') || path.includes('#')) yield '/path must not have a query or fragment'
  if (path.slice(0, -1).includes('*')) yield '/path may have * only at its end'
}

function* findUnused(rule: StepFields): Generator<string> {
  const kind = faultKindOf(rule)
  if (rule.headers !== undefined && (kind === 'reset' || kind === 'timeout')) {
    yield `/headers has no effect: a ${kind} sends no response`
  }
  for (const field of ['status', 'code', 'message'] as const) {
    if (rule[field] !== undefined && kind !== 'error') {
      yield `/${field} applies to errors only, but /kind is ${kind}`
    }
  }
  const { delayMs } = rule
  if (delayMs === undefined && (kind === 'delay' || kind === 'slow')) yield `/delayMs is required when /kind is ${kind}`
  if (delayMs !== undefined && kind === 'timeout') yield '/delayMs has no effect: a timeout never responds'
  if (Array.isArray(delayMs) && delayMs[0] > delayMs[1]) yield '/delayMs must have the smaller number first'
}

/** Why no request can match a rule, in one sentence. Otherwise a test with a wrong path would pass without the fault. */
function findUnreachable({ operation, method, path }: FaultFields, contract: Contract): string | undefined {
  const wanted = method?.toUpperCase()
  const candidates = contract
    .operations()
    .filter((each) => operation === undefined || each.operation === operation)
    .filter((each) => wanted === undefined || each.method === (wanted === 'HEAD' ? 'GET' : wanted))
  if (candidates.length === 0) return `/method is ${wanted}, which ${operation ?? 'no operation'} does not use`
  if (path === undefined) return undefined
  const reached = findReached(path, contract)
  if (reached.length === 0) return `/path matches no operation: ${quote(path)}`
  if (candidates.some((each) => reached.includes(each.operation))) return undefined
  return `/path and /${operation === undefined ? 'method' : 'operation'} cannot match the same request`
}

/** The operations at a path, or at any path that starts with it. */
export function findReached(path: string, contract: Contract): string[] {
  if (path.endsWith('*')) {
    const operations = contract.operations().filter((each) => canStart(each.path, path.slice(0, -1)))
    return operations.map(({ operation }) => operation)
  }
  // The path of a rule is decoded.
  const route = contract.findRoute(path.slice(1).split('/'))
  return Array.from(route?.operations.values() ?? [], operationIdOf)
}

/** Whether a path of the document can start with a text. Its parameters match any segment that is not empty. */
function canStart(template: string, start: string): boolean {
  const places = template.split('/')
  const segments = start.split('/')
  const last = segments.length - 1
  return segments.every((segment, index) => {
    const place = places[index]
    if (place === undefined) return false
    if (place.startsWith('{')) return index === last || segment !== ''
    return index === last ? place.startsWith(segment) : place === segment
  })
}

export type FaultEvent<OperationId extends string = string> =
  | {
      readonly type: 'fault'
      readonly change: 'added' | 'changed' | 'applied' | 'removed'
      readonly fault: Fault<OperationId>
    }
  | { readonly type: 'fault'; readonly change: 'cleared' }
