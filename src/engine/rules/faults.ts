import type { Contract } from '../../document/contract/contract.js'
import type { Work } from '../../document/schema/linear-regexp.js'
import { MockError } from '../../http/errors.js'
import type { PlainRequest } from '../../http/messages.js'
import { codeOfStatus } from '../../http/statuses.js'
import type { TimeSource } from '../../lib/clock.js'
import { describeValue } from '../../lib/functions.js'
import { createRandom, drawSpan, type RandomSource } from '../../lib/random.js'
import { copyData, requireNumbers, withoutUndefined } from '../../lib/values.js'
import type { FaultEffect } from './apply-fault.js'
import { faultKindOf } from './fault-kind.js'
import type { FaultEvent } from './fault-rule.js'
import {
  checkRule,
  type Fault,
  type FaultChange,
  type FaultFields,
  type FaultRule,
  findReached,
  headersOfStep,
  type StepFields,
  stepsOf,
} from './fault-rule.js'
import { compileMatch, createWork, toJsonMatch } from './request-match.js'
import { isSameJson, isUsedUp, type Removable, type Rule, RuleList } from './rule-list.js'

/**
 * Rules that make requests fail. The oldest rule that fires decides; every rule counts all requests it matches. Randomness
 * comes from the seed, so the same rules and requests fail in the same way.
 */
export interface Faults<OperationId extends string = string> {
  add(rule?: FaultRule<OperationId>): Fault<OperationId> & Removable
  list(): Fault<OperationId>[]
  /** Changes some fields of a rule, or its place in the list. Its counts stay. */
  update(id: number, change: FaultChange<OperationId>): Fault<OperationId>
  remove(id: number): void
  clear(): void
}

/** The part of a request that rules look at. */
interface MatchableRequest {
  readonly operation: string
  readonly method: string
  readonly segments: readonly string[]
  readonly request: PlainRequest
}

export interface FaultEngine {
  readonly faults: Faults<string>
  /** Counts the request in all rules it matches, and returns the effect of the first one that fires. */
  find(request: MatchableRequest): FaultEffect | undefined
  save(): SavedFault[]
  /** Throws if one is invalid, otherwise returns a function that adds those that are not there yet. */
  readSaved(saved: readonly SavedFault[]): () => void
  /** Removes all rules and restarts ids and randomness. */
  reset(): void
}

interface FaultDependencies {
  readonly contract: Contract
  readonly errorCodes: Readonly<Record<string, number>>
  /** The mock's clock: rules expire by it. */
  readonly clock: TimeSource
  readonly events: { emit(event: FaultEvent): void }
  seed(): number
  /** The paths of the document's servers, which are not part of the path of a request. */
  serverPaths?(): readonly string[]
}

interface Step {
  readonly given: StepFields
  readonly headers: Readonly<Record<string, string>> | undefined
}

interface KeptFault extends Rule<Step> {
  given: FaultFields
  /** Without the path of a server. */
  path: string | undefined
  /** Seeds its randomness. */
  readonly number: number
  readonly chance: RandomSource
  readonly delay: RandomSource
  matched: number
}

type ReadFields = Pick<KeptFault, 'given' | 'path' | 'items' | 'isSequence' | 'times' | 'matches'>

/** A rule and its counts, as JSON. */
export type SavedFault = Pick<KeptFault, 'given' | 'addedAt' | 'number' | 'matched' | 'applied'>

export function createFaults({
  contract,
  errorCodes,
  clock,
  events,
  seed,
  serverPaths = () => [],
}: FaultDependencies): FaultEngine {
  const rules = new RuleList<KeptFault, Fault>({
    name: 'fault rule',
    notFound: 'FAULT_NOT_FOUND',
    describe,
    isSame: (one, other) => isSameJson(one.given, other.given),
    announce(change, rule) {
      if (change === 'cleared') events.emit({ type: 'fault', change })
      else if (rule) events.emit({ type: 'fault', change, fault: describe(rule) })
    },
  })
  /** The number of the last rule. Unlike the id it restarts at `clear`. */
  let added = 0

  const isExpired = ({ given, addedAt }: KeptFault) =>
    given.expiresAfterMs !== undefined && clock.now() >= addedAt + given.expiresAfterMs

  function describe(rule: KeptFault): Fault {
    const { id, given, matched, applied, addedAt } = rule
    const active = given.enabled !== false && !isExpired(rule) && !isUsedUp(rule)
    return { ...copyData(given), id, matched, applied, active, addedAt: new Date(addedAt).toISOString() }
  }

  /** Draws a random number for every request it matches, so that other rules do not change the outcome. */
  function fires(rule: KeptFault, request: MatchableRequest, work: Work): boolean {
    const { after = 0, probability = 1, enabled = true } = rule.given
    if (!enabled || !matchesAddress(rule, request) || !rule.matches(request.request, work) || isExpired(rule))
      return false
    rule.matched += 1
    if (rule.matched <= after) return false
    return rule.chance() < probability && !isUsedUp(rule)
  }

  function withoutServer(path: string | undefined): string | undefined {
    if (typeof path !== 'string' || findReached(path, contract).length > 0) return path
    const inside = serverPaths().flatMap((base) => (path.startsWith(`${base}/`) ? [path.slice(base.length)] : []))
    return inside.find((each) => findReached(each, contract).length > 0) ?? path
  }

  /** Throws when the rule is invalid, and changes nothing then. */
  function read(rule: FaultFields): ReadFields {
    const match = rule?.match
    const written = match === undefined ? rule : { ...rule, match: toJsonMatch(match) }
    const path = withoutServer(written?.path)
    checkRule(path === undefined ? written : { ...written, path }, contract)
    const given = copyData(written)
    const items = stepsOf(given).map((step) =>
      step === 'pass' ? step : { given: step, headers: step.headers && headersOfStep(step) },
    )
    return {
      given,
      path,
      items,
      isSequence: given.sequence !== undefined,
      times: given.times,
      matches: compileMatch(match),
    }
  }

  /** Throws like `read`. */
  function createRule(saved: SavedFault, isRestored: boolean): Omit<KeptFault, 'id'> {
    const { addedAt, number, matched, applied } = saved
    const fields = read(saved.given)
    // It continues after the random numbers that it has used.
    const chances = Math.max(0, matched - (fields.given.after ?? 0))
    return {
      ...fields,
      addedAt,
      number,
      matched,
      applied,
      isRestored,
      chance: createRandom(seed(), `fault/${number}/chance`, chances),
      delay: createRandom(seed(), `fault/${number}/span`, applied),
    }
  }

  /** Counts that the rule applies. Returns undefined if its sequence lets the request through. */
  function apply(rule: KeptFault): FaultEffect | undefined {
    const step = rules.apply<Step>(rule)
    return step === 'pass' ? undefined : toEffect(rule, step)
  }

  function toEffect(rule: KeptFault, { given, headers }: Step): FaultEffect {
    const { id, delay, isSequence, times } = rule
    const { code, message, delayMs = 0 } = given
    const kind = faultKindOf(given)
    const status = given.status ?? (kind === 'error' ? statusOfCode(code, errorCodes) : undefined)
    return {
      id,
      kind,
      status,
      code,
      message,
      headers,
      delayMs: drawSpan(delayMs, delay),
      giveBack: isSequence || times !== undefined ? () => rules.giveBack(rule) : undefined,
    }
  }

  const faults: Faults = {
    add(given = {}) {
      const counts = { addedAt: clock.now(), number: added + 1, matched: 0, applied: 0 }
      const fault = rules.add(createRule({ given, ...counts }, false))
      added += 1
      return fault
    },
    list: () => rules.list(),
    update(id, change) {
      const rule = rules.get(id)
      const { position, ...changes } = change ?? {}
      if (position !== undefined && !(Number.isSafeInteger(position) && position > 0)) {
        const message = `/position must be a whole number of 1 or more, but is ${describeValue(position)}`
        throw new MockError('INVALID_FAULT', `Invalid fault rule: ${message}`)
      }
      const fields = Object.entries({ ...rule.given, ...withoutUndefined(changes) }).filter(
        ([, value]) => value !== null,
      )
      const { matches } = rule
      Object.assign(rule, read(Object.fromEntries(fields)))
      // The rule has its match as JSON, which may be a regular expression from outside.
      if (changes.match === undefined) rule.matches = matches
      rules.changed(rule, position)
      return describe(rule)
    },
    remove: (id) => rules.remove(id),
    clear() {
      rules.clear()
      added = 0
    },
  }

  return {
    faults,
    find(request: MatchableRequest): FaultEffect | undefined {
      if (rules.all.length === 0) return undefined
      let effect: FaultEffect | undefined
      const work = createWork()
      // First all of them: a regular expression that takes too long must not use up an earlier rule.
      const firing = rules.all.filter((rule) => fires(rule, request, work))
      for (const rule of firing) effect ??= apply(rule)
      return effect
    },
    save: (): SavedFault[] =>
      rules.all.map(({ given, addedAt, number, matched, applied }) => ({ given, addedAt, number, matched, applied })),
    readSaved(saved: readonly SavedFault[]): () => void {
      for (const { addedAt, number, matched, applied } of saved) requireNumbers(addedAt, number, matched, applied)
      const restored = saved.map((each) => createRule(each, true))
      return () => {
        for (const { number } of rules.restore(restored)) added = Math.max(added, number)
      }
    },
    reset(): void {
      rules.reset()
      added = 0
    },
  }
}

function matchesAddress({ given, path }: KeptFault, matchable: MatchableRequest): boolean {
  const { operation, method } = given
  if (operation !== undefined && operation !== matchable.operation) return false
  if (method !== undefined && method.toUpperCase() !== matchable.method) return false
  if (path === undefined) return true
  const requested = `/${matchable.segments.join('/')}`
  return path.endsWith('*') ? requested.startsWith(path.slice(0, -1)) : requested === path
}

/** The status of a code in the contract, otherwise of a standard HTTP code. Default: 500. */
function statusOfCode(code: string | undefined, errorCodes: Readonly<Record<string, number>>): number {
  if (code === undefined) return 500
  if (Object.hasOwn(errorCodes, code)) return errorCodes[code] as number
  return ERROR_STATUSES.find((status) => codeOfStatus(status) === code) ?? 500
}

const ERROR_STATUSES = Array.from({ length: 200 }, (_, index) => 400 + index)
