import type { TimeSource } from '../../lib/clock.js'
import { createRandom, type RandomSource } from '../../lib/random.js'
import { MockError, requireOperation } from '../contract/errors.js'
import type { FaultEffect } from './apply-fault.js'
import type { EventHub } from './events.js'
import { checkRule, type Fault, type FaultRule, kindOf, unusable } from './fault-rule.js'

/**
 * Rules by which requests fail. The first rule in the order they were added that fires decides; each counts every
 * request it speaks of, whatever the others do. Chance comes from the seed, so the same rules and requests fail alike.
 */
export interface Faults {
  add(rule?: FaultRule): Fault
  list(): Fault[]
  remove(id: number): void
  clear(): void
}

/** A request as rules see it. */
export interface Disturbed {
  readonly operation: string
  readonly method: string
  /** Of the path, each decoded. */
  readonly segments: readonly string[]
}

/** `faults` as its user sees them, and how a request meets one. */
export interface FaultEngine {
  readonly faults: Faults
  meet(request: Disturbed): FaultEffect | undefined
  /** No rules, and chance from its beginning. */
  restart(): void
}

export interface FaultPorts {
  readonly seed: () => number
  readonly operations: readonly string[]
  /** Why no request can meet a rule that is sound by itself; undefined where one can. */
  findOutOfReach(rule: FaultRule): string | undefined
  /** The store's: rules expire by it. */
  readonly clock: TimeSource
  readonly events: EventHub
}

interface Rule {
  readonly id: number
  readonly given: FaultRule
  readonly addedAt: number
  readonly chance: RandomSource
  readonly span: RandomSource
  matched: number
  applied: number
}

/** Every request asks each of them. */
const MAX_RULES = 1000

export function createFaults({ seed, operations, findOutOfReach, clock, events }: FaultPorts): FaultEngine {
  let rules: Rule[] = []
  let lastId = 0
  /** Chance begins anew with the rules, not with the ids: those of rules that are gone are not given out again. */
  let added = 0

  const isExpired = ({ given, addedAt }: Rule) =>
    given.expiresAfterMs !== undefined && clock.now() >= addedAt + given.expiresAfterMs

  const isUsedUp = ({ given, applied }: Rule) => given.times !== undefined && applied >= given.times

  function describe(rule: Rule): Fault {
    const { id, given, matched, applied, addedAt } = rule
    const active = !isExpired(rule) && !isUsedUp(rule)
    return { ...given, id, matched, applied, active, addedAt: new Date(addedAt).toISOString() }
  }

  /** Draws for every request it speaks of, so that what it does depends on nothing but those. */
  function fires(rule: Rule, request: Disturbed): boolean {
    const { after = 0, probability = 1 } = rule.given
    if (!speaksOf(rule.given, request) || isExpired(rule)) return false
    rule.matched += 1
    if (rule.matched <= after) return false
    return rule.chance() < probability && !isUsedUp(rule)
  }

  return {
    faults: {
      add(given = {}) {
        checkRule(given)
        if (given.operation !== undefined) requireOperation(given.operation, operations)
        const problem = findOutOfReach(given)
        if (problem !== undefined) throw unusable(problem)
        if (rules.length >= MAX_RULES) {
          throw new MockError('LIMIT_REACHED', `there are ${MAX_RULES} fault rules already: remove some first`)
        }
        lastId += 1
        added += 1
        const rule: Rule = {
          id: lastId,
          given: structuredClone(given),
          addedAt: clock.now(),
          chance: createRandom(seed(), `fault/${added}/chance`),
          span: createRandom(seed(), `fault/${added}/span`),
          matched: 0,
          applied: 0,
        }
        rules.push(rule)
        const fault = describe(rule)
        events.emit({ type: 'fault', change: 'added', fault })
        return fault
      },
      list: () => rules.map(describe),
      remove(id) {
        const rule = rules.find((each) => each.id === id)
        if (rule === undefined) throw new MockError('FAULT_NOT_FOUND', `there is no fault rule ${String(id)}`)
        rules = rules.filter((each) => each !== rule)
        events.emit({ type: 'fault', change: 'removed', fault: describe(rule) })
      },
      clear() {
        rules = []
        added = 0
        events.emit({ type: 'fault', change: 'cleared' })
      },
    },
    meet(request) {
      let met: Rule | undefined
      for (const rule of rules) if (fires(rule, request)) met ??= rule
      if (met === undefined) return undefined
      met.applied += 1
      events.emit({ type: 'fault', change: 'applied', fault: describe(met) })
      return toDisturbance(met)
    },
    restart() {
      rules = []
      lastId = 0
      added = 0
    },
  }
}

function speaksOf({ operation, method, path }: FaultRule, request: Disturbed): boolean {
  if (operation !== undefined && operation !== request.operation) return false
  if (method !== undefined && method.toUpperCase() !== request.method) return false
  if (path === undefined) return true
  const asked = `/${request.segments.join('/')}`
  return path.endsWith('*') ? asked.startsWith(path.slice(0, -1)) : asked === path
}

function toDisturbance({ id, given, span }: Rule): FaultEffect {
  const { status, code, message, delayMs = 0 } = given
  return {
    id,
    kind: kindOf(given),
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    delayMs: drawSpan(delayMs, span),
  }
}

/** So many milliseconds, or a whole number between two. */
export function drawSpan(span: number | readonly [number, number], random: RandomSource): number {
  if (typeof span === 'number') return span
  const [least, most] = span
  return least + Math.floor(random() * (most - least + 1))
}
