/// <reference lib="esnext.disposable" preserve="true" />

import { MockError, type MockErrorCode } from '../../http/errors.js'
import { describeValue, makeDisposable } from '../../lib/functions.js'
import { stringifyJson } from '../../lib/json.js'
import type { Matches } from './request-match.js'

/** What a test adds to change responses: a fault rule, or an override. */
export interface Rule<Item> {
  /** Starts at 1. */
  readonly id: number
  /** The first is for every request or, in a sequence, each for one request in turn. `pass` lets the request through. */
  items: readonly (Item | 'pass')[]
  isSequence: boolean
  /** How many requests it applies to, if there is no sequence. Default: all. */
  times: number | undefined
  matches: Matches
  readonly addedAt: number
  /** How many requests it was applied to. */
  applied: number
  /** Whether it was restored, not added. */
  readonly isRestored: boolean
}

/** Something that was added and can be removed again, at the latest by a reset. A `using` block removes it at its end. */
export interface Removable extends Disposable {
  /** Can be called more than once. */
  remove(): void
}

/** How one kind of rules differs from the other. */
interface RuleKind<Kept, Description> {
  /** As it is called in messages. */
  readonly name: string
  readonly notFound: MockErrorCode
  describe(rule: Kept): Description
  /** Whether both were written in the same way. */
  isSame(one: Omit<Kept, 'id'>, other: Omit<Kept, 'id'>): boolean
  /** Called with each change. The rule is missing when all were removed. */
  announce(change: Change, rule?: Kept): void
}

export type Change = 'added' | 'changed' | 'applied' | 'removed' | 'cleared'

/** Every request is compared with each rule. */
const MAX_RULES = 1000

/** Rules of one kind, oldest first unless one is moved. */
export class RuleList<Kept extends Rule<unknown>, Description extends object> {
  readonly #kind: RuleKind<Kept, Description>
  #rules: Kept[] = []
  #lastId = 0

  constructor(kind: RuleKind<Kept, Description>) {
    this.#kind = kind
  }

  get all(): readonly Kept[] {
    return this.#rules
  }

  has(rule: Kept): boolean {
    return this.#rules.includes(rule)
  }

  /** Throws when there are too many. */
  add(created: Omit<Kept, 'id'>): Description & Removable {
    const { name, describe, isSame, announce } = this.#kind
    if (this.#rules.length >= MAX_RULES) this.#rules = this.#rules.filter((rule) => !isUsedUp(rule))
    const restored = this.#rules.findIndex((each) => each.isRestored && isSame(each, created))
    if (restored < 0 && this.#rules.length >= MAX_RULES) {
      throw new MockError('LIMIT_REACHED', `There are already ${MAX_RULES} ${name}s. Remove some first.`)
    }
    const rule = this.#withId(created)
    // Code that adds its rules at every start would otherwise add one more each time.
    if (restored < 0) this.#rules.push(rule)
    else this.#rules[restored] = rule
    announce('added', rule)
    const remove = () => this.has(rule) && this.#remove(rule)
    const description = Object.defineProperty(describe(rule), 'remove', { value: remove })
    return makeDisposable(description, remove) as Description & Removable
  }

  list(): Description[] {
    return this.#rules.map(this.#kind.describe)
  }

  /** Throws when there is none. */
  get(id: number): Kept {
    const rule = this.#rules.find((each) => each.id === id)
    if (rule === undefined) throw new MockError(this.#kind.notFound, `Unknown ${this.#kind.name} ${describeValue(id)}.`)
    return rule
  }

  /** Call it when fields of a rule have changed, with its new place in the list, from 1. */
  changed(rule: Kept, position?: number): void {
    if (position !== undefined)
      this.#rules = this.#rules.filter((each) => each !== rule).toSpliced(position - 1, 0, rule)
    this.#kind.announce('changed', rule)
  }

  /** Throws when there is none. */
  remove(id: number): void {
    this.#remove(this.get(id))
  }

  clear(): void {
    this.#rules = []
    this.#kind.announce('cleared')
  }

  /** What a rule does to the next request, which counts. Call it only while it is not used up. */
  apply<Item>(rule: Kept & Rule<Item>): Item | 'pass' {
    const item = rule.items[rule.isSequence ? rule.applied : 0] as Item | 'pass'
    rule.applied += 1
    this.#kind.announce('applied', rule)
    return item
  }

  /** Takes back that a rule was applied. It may have been removed since. */
  giveBack(rule: Kept): void {
    if (!this.has(rule)) return
    rule.applied -= 1
    this.#kind.announce('changed', rule)
  }

  /** Adds saved rules that are not there yet, and returns these. */
  restore(saved: readonly Omit<Kept, 'id'>[]): Kept[] {
    const missing = saved.filter((each) => !this.#rules.some((own) => this.#kind.isSame(own, each)))
    const restored = missing.map((each) => this.#withId(each))
    this.#rules.push(...restored)
    return restored
  }

  /** Removes all rules, and starts at the first id again. */
  reset(): void {
    this.#rules = []
    this.#lastId = 0
  }

  #remove(rule: Kept): void {
    this.#rules = this.#rules.filter((each) => each !== rule)
    this.#kind.announce('removed', rule)
  }

  #withId(created: Omit<Kept, 'id'>): Kept {
    this.#lastId += 1
    return { id: this.#lastId, ...created } as Kept
  }
}

/** Whether a rule has applied as often as it may. */
export function isUsedUp({ items, isSequence, times, applied }: Rule<unknown>): boolean {
  return applied >= (isSequence ? items.length : (times ?? Number.POSITIVE_INFINITY))
}

/** Whether two values have the same members in the same order. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return stringifyJson(one) === stringifyJson(other)
}
