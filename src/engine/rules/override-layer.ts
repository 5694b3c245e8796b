import type { Contract } from '../../document/contract/contract.js'
import type { Validate } from '../../document/validate/validators.js'
import { describeViolation } from '../../document/validate/violations.js'
import { validators } from '../../generated/engine/rules/rule-validators.js'
import type { TimeSource } from '../../lib/clock.js'
import { describeValue } from '../../lib/functions.js'
import { copyData, isBytes, requireNumbers } from '../../lib/values.js'
import type { AddedOverride, OverrideOptions, UncheckedResponse } from './override.js'
import { checkResponse, misuse, rejectUnknown } from './override-response.js'
import { compileMatch, findMatchProblem, toJsonMatch } from './request-match.js'
import { isSameJson, isUsedUp, type Rule } from './rule-list.js'

/** An override that was added. */
export interface Layer extends Rule<OverrideItem> {
  readonly operation: string
  readonly options: OverrideOptions
  /** Its stack says where the override was added. */
  readonly place: Error
}

export type OverrideItem = UncheckedResponse | ((call: object) => unknown)

export interface LayerDependencies {
  readonly contract: Contract
  readonly clock: TimeSource
}

/** Throws when the override is invalid. */
export function createLayer(
  operation: string,
  override: unknown,
  given: OverrideOptions,
  { contract, clock }: LayerDependencies,
): Omit<Layer, 'id'> {
  contract.requireOperation(operation)
  const options = readOptions(operation, given)
  const isSequence = Array.isArray(override)
  if (isSequence && options.times !== undefined) {
    throw misuse(operation, 'is a sequence, which applies once for each of its entries. Remove times.')
  }
  if (isSequence && override.length === 0) throw misuse(operation, 'must have at least one entry in its sequence.')
  return {
    operation,
    items: isSequence
      ? override.map((item) => (item === 'pass' ? item : readItem(operation, item, options, contract)))
      : [readItem(operation, override, options, contract)],
    isSequence,
    options,
    times: options.times,
    matches: compileMatch(given.match),
    addedAt: clock.now(),
    place: new Error(),
    applied: 0,
    isRestored: false,
  }
}

/** Throws when it is invalid. */
function readItem(operation: string, item: unknown, options: OverrideOptions, contract: Contract): OverrideItem {
  if (typeof item === 'function') return item as OverrideItem
  if (typeof item !== 'object' || item === null) {
    const expected = 'a response, a function that returns one, or "pass" in a sequence'
    throw misuse(operation, `must be ${expected}. Received: ${describeValue(item)}.`)
  }
  if (isThenable(item)) return () => item
  checkResponse(operation, item, contract, options)
  return copy(operation, item) as UncheckedResponse
}

/** The test may change its object later. */
function copy(operation: string, response: unknown): unknown {
  try {
    return copyData(response)
  } catch {
    throw misuse(operation, 'must be plain data, without functions.')
  }
}

/** The options without RegExp objects. Throws when one is invalid. */
function readOptions(operation: string, given: OverrideOptions): OverrideOptions {
  rejectUnknown(operation, 'option', given, ['times', 'match', 'unchecked', 'raw'])
  const options = given.match === undefined ? given : { ...given, match: toJsonMatch(given.match) }
  const validate = validators.schemas.OverrideOptions as Validate
  validate(options)
  const [error] = validate.errors ?? []
  const problem = error ? describeViolation(error, (pointer) => pointer) : findMatchProblem(options.match)
  if (problem !== undefined) throw misuse(operation, `is invalid: ${problem}`)
  return copyData(options)
}

export function describeLayer(layer: Layer): AddedOverride {
  const { id, operation, items, isSequence, options, applied, addedAt } = layer
  const shown = items.map((item) => (typeof item === 'object' ? withoutBytes(item) : item))
  const listed = shown.map((item) => (typeof item === 'function' ? 'function' : item))
  const response = isSequence ? { sequence: listed } : typeof shown[0] === 'object' ? shown[0] : {}
  const active = !isUsedUp(layer)
  return { id, operation, ...response, ...options, applied, active, addedAt: new Date(addedAt).toISOString() }
}

/** Bytes cannot be listed as JSON. */
function withoutBytes({ body, ...rest }: UncheckedResponse): UncheckedResponse {
  return body === undefined || isBytes(body) ? rest : { ...rest, body }
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** A fixed override and its count, as JSON. */
export interface SavedOverride extends Pick<Layer, 'operation' | 'isSequence' | 'options' | 'addedAt' | 'applied'> {
  readonly items: readonly {
    readonly response: UncheckedResponse | 'pass'
    /** The body, if it consists of bytes. */
    readonly bytes?: readonly number[]
  }[]
}

/** Undefined for one with a function. */
export function toSaved({ operation, items, isSequence, options, addedAt, applied }: Layer): SavedOverride | undefined {
  if (!isFixed(items)) return undefined
  const saved = items.map((item) =>
    typeof item === 'object' && isBytes(item.body)
      ? { response: withoutBytes(item), bytes: [...item.body] }
      : { response: item },
  )
  return { operation, items: saved, isSequence, options, addedAt, applied }
}

/** Throws if it is invalid. */
export function createSavedLayer(
  { operation, items, isSequence, options, addedAt, applied }: SavedOverride,
  dependencies: LayerDependencies,
): Omit<Layer, 'id'> {
  requireNumbers(addedAt, applied)
  const given = items.map(({ response, bytes }) =>
    bytes === undefined ? response : { ...(response as UncheckedResponse), body: Uint8Array.from(bytes) },
  )
  const layer = createLayer(operation, isSequence ? given : given[0], options, dependencies)
  return { ...layer, addedAt, applied, isRestored: true }
}

type Comparable = Pick<Layer, 'operation' | 'items' | 'isSequence' | 'options'>

/** Functions are never the same. */
export function isSameOverride(one: Comparable, other: Comparable): boolean {
  if (!isFixed(one.items) || !isFixed(other.items)) return false
  const [a, b] = [one, other].map(({ operation, items, isSequence, options }) => [
    operation,
    items,
    isSequence,
    options,
  ])
  return isSameJson(a, b)
}

function isFixed(items: Layer['items']): items is readonly (UncheckedResponse | 'pass')[] {
  return items.every((item) => typeof item !== 'function')
}
