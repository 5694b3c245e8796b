import type { TimeSource } from '../../lib/clock.js'
import { copyData } from '../../lib/copy-data.js'
import { createRandom, drawSpan, type RandomSource } from '../../lib/random.js'
import { describeValue } from '../../lib/thrown.js'
import { withoutUndefined } from '../../lib/without-undefined.js'
import type { Contract } from '../contract/contract.js'
import { MockError } from '../contract/errors.js'
import { codeOfStatus } from '../contract/http-statuses.js'
import type { Work } from '../contract/linear-regexp.js'
import type { PlainRequest } from '../contract/messages.js'
import type { FaultEffect } from './apply-fault.js'
import type { EventHub } from './events.js'
import { faultKindOf } from './fault-kind.js'
import {
  checkRule,
  type Fault,
  type FaultChange,
  type FaultFields,
  type FaultRule,
  headersOfStep,
  type StepFields,
  stepsOf,
} from './fault-rule.js'
import { toJsonMatch } from './json-match.js'
import { makeRemovable, type Removable } from './removable.js'
import { compileMatch, createWork, type Matches } from './request-match.js'
import { isSameJson, requireNumbers } from './saved-values.js'
import { isUsedUp, nextItem, type Plan } from './sequence.js'

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

export type FaultEngine = ReturnType<typeof createFaults>

interface FaultDependencies {
  readonly contract: Contract
  readonly errorCodes: Readonly<Record<string, number>>
  /** The mock's clock: rules expire by it. */
  readonly clock: TimeSource
  readonly events: EventHub
  seed(): number
}

interface Step {
  readonly given: StepFields
  readonly headers: Readonly<Record<string, string>> | undefined
}

interface Rule {
  readonly id: number
  given: FaultFields
  plan: Plan<Step>
  matches: Matches
  readonly addedAt: number
  /** Seeds its randomness. */
  readonly number: number
  readonly chance: RandomSource
  readonly delay: RandomSource
  matched: number
  applied: number
  /** Whether it was restored, not added. */
  readonly isRestored: boolean
}

/** A rule and its counts, as JSON. */
export type SavedFault = Pick<Rule, 'given' | 'addedAt' | 'number' | 'matched' | 'applied'>

/** Every request is compared with each rule. */
const MAX_RULES = 1000

export function createFaults({ contract, errorCodes, clock, events, seed }: FaultDependencies) {
  let rules: Rule[] = []
  let lastId = 0
  /** The number of the last rule. Unlike the id it restarts at `clear`. */
  let added = 0

  const isExpired = ({ given, addedAt }: Rule) =>
    given.expiresAfterMs !== undefined && clock.now() >= addedAt + given.expiresAfterMs

  const hasTurnsLeft = ({ given, plan, applied }: Rule) => !isUsedUp(plan, applied, given.times)

  function describe(rule: Rule): Fault {
    const { id, given, matched, applied, addedAt } = rule
    const active = given.enabled !== false && !isExpired(rule) && hasTurnsLeft(rule)
    return { ...copyData(given), id, matched, applied, active, addedAt: new Date(addedAt).toISOString() }
  }

  /** Draws a random number for every request it matches, so that other rules do not change the outcome. */
  function fires(rule: Rule, request: MatchableRequest, work: Work): boolean {
    const { after = 0, probability = 1, enabled = true } = rule.given
    if (!enabled || !matchesAddress(rule.given, request) || !rule.matches(request.request, work) || isExpired(rule))
      return false
    rule.matched += 1
    if (rule.matched <= after) return false
    return rule.chance() < probability && hasTurnsLeft(rule)
  }

  /** Throws when the rule is invalid, and changes nothing then. */
  function read(rule: FaultFields): Pick<Rule, 'given' | 'plan' | 'matches'> {
    const match = rule?.match
    const given = match === undefined ? rule : { ...rule, match: toJsonMatch(match) }
    checkRule(given, contract)
    const copied = copyData(given)
    const items = stepsOf(copied).map((step) =>
      step === 'pass' ? step : { given: step, headers: step.headers && headersOfStep(step) },
    )
    return { given: copied, plan: { items, isSequence: copied.sequence !== undefined }, matches: compileMatch(match) }
  }

  /** Throws like `read`. */
  function createRule(saved: SavedFault, { isRestored }: Pick<Rule, 'isRestored'>): Omit<Rule, 'id'> {
    const { addedAt, number, matched, applied } = saved
    const parts = read(saved.given)
    // It continues after the random numbers that it has used.
    const chances = Math.max(0, matched - (parts.given.after ?? 0))
    return {
      ...parts,
      addedAt,
      number,
      matched,
      applied,
      isRestored,
      chance: createRandom(seed(), `fault/${number}/chance`, chances),
      delay: createRandom(seed(), `fault/${number}/span`, applied),
    }
  }

  function findRule(id: number): Rule {
    const rule = rules.find((each) => each.id === id)
    if (rule === undefined) throw new MockError('FAULT_NOT_FOUND', `Unknown fault rule ${describeValue(id)}.`)
    return rule
  }

  function remove(rule: Rule): void {
    rules = rules.filter((each) => each !== rule)
    events.emit({ type: 'fault', change: 'removed', fault: describe(rule) })
  }

  /** Counts that the rule applies. Returns undefined if its sequence lets the request through. */
  function apply(rule: Rule): FaultEffect | undefined {
    const step = nextItem(rule.plan, rule.applied)
    rule.applied += 1
    events.emit({ type: 'fault', change: 'applied', fault: describe(rule) })
    return step === 'pass' ? undefined : toEffect(rule, step)
  }

  function toEffect(rule: Rule, { given, headers }: Step): FaultEffect {
    const { id, delay } = rule
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
      giveBack: rule.plan.isSequence || rule.given.times !== undefined ? () => giveBack(rule) : undefined,
    }
  }

  function giveBack(rule: Rule): void {
    // It may have been removed since.
    if (!rules.includes(rule)) return
    rule.applied -= 1
    events.emit({ type: 'fault', change: 'changed', fault: describe(rule) })
  }

  const faults: Faults = {
    add(given = {}) {
      const counts = { addedAt: clock.now(), number: added + 1, matched: 0, applied: 0 }
      const created = createRule({ given, ...counts }, { isRestored: false })
      const restored = rules.findIndex((each) => each.isRestored && isSameJson(each.given, created.given))
      if (restored < 0 && rules.length >= MAX_RULES) {
        throw new MockError('LIMIT_REACHED', `There are already ${MAX_RULES} fault rules. Remove some first.`)
      }
      lastId += 1
      added += 1
      const rule: Rule = { id: lastId, ...created }
      // Code that adds its rules at every start would otherwise add one more each time.
      if (restored < 0) rules.push(rule)
      else rules[restored] = rule
      events.emit({ type: 'fault', change: 'added', fault: describe(rule) })
      return makeRemovable(describe(rule), () => rules.includes(rule) && remove(rule))
    },
    list: () => rules.map(describe),
    update(id, change) {
      const rule = findRule(id)
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
      if (position !== undefined) rules = rules.filter((each) => each !== rule).toSpliced(position - 1, 0, rule)
      events.emit({ type: 'fault', change: 'changed', fault: describe(rule) })
      return describe(rule)
    },
    remove: (id) => remove(findRule(id)),
    clear() {
      rules = []
      added = 0
      events.emit({ type: 'fault', change: 'cleared' })
    },
  }

  return {
    faults,
    /** Counts the request in all rules it matches, and returns the effect of the first one that fires. */
    find(request: MatchableRequest): FaultEffect | undefined {
      if (rules.length === 0) return undefined
      let effect: FaultEffect | undefined
      const work = createWork()
      // First all of them: a regular expression that takes too long must not use up an earlier rule.
      const firing = rules.filter((rule) => fires(rule, request, work))
      for (const rule of firing) effect ??= apply(rule)
      return effect
    },
    save: (): SavedFault[] =>
      rules.map(({ given, addedAt, number, matched, applied }) => ({ given, addedAt, number, matched, applied })),
    /** Throws if one is invalid, otherwise returns a function that adds those that are not there yet. */
    readSaved(saved: readonly SavedFault[]): () => void {
      for (const { addedAt, number, matched, applied } of saved) requireNumbers(addedAt, number, matched, applied)
      const restored = saved.map((each) => createRule(each, { isRestored: true }))
      return () => {
        const missing = restored.filter(({ given }) => !rules.some((own) => isSameJson(own.given, given)))
        for (const rule of missing) {
          lastId += 1
          added = Math.max(added, rule.number)
          rules.push({ id: lastId, ...rule })
        }
      }
    },
    /** Removes all rules and restarts ids and randomness. */
    reset(): void {
      rules = []
      lastId = 0
      added = 0
    },
  }
}

function matchesAddress({ operation, method, path }: FaultFields, matchable: MatchableRequest): boolean {
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
