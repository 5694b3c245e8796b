import type { TimeSource } from '../../lib/clock.js'
import { copyData } from '../../lib/copy-data.js'
import { isBytes } from '../../lib/kind.js'
import { describeValue } from '../../lib/thrown.js'
import type { Contract } from '../contract/contract.js'
import type { Validate } from '../contract/validators.js'
import { describeViolation } from '../contract/violations.js'
import { validators } from './generated/rule-validators.js'
import { toJsonMatch } from './json-match.js'
import type { AddedOverride, OverrideOptions, UncheckedResponse } from './override.js'
import { checkResponse, misuse, rejectUnknown } from './override-response.js'
import { compileMatch, findMatchProblem, type Matches } from './request-match.js'
import { isUsedUp, type Plan } from './sequence.js'

/** An override that was added. */
export interface Layer extends Plan<OverrideItem> {
  readonly id: number
  readonly operation: string
  readonly options: OverrideOptions
  readonly matches: Matches
  readonly addedAt: number
  /** Its stack says where the override was added. */
  readonly place: Error
  applied: number
  /** Whether it was restored, not added. */
  readonly isRestored: boolean
}

type OverrideItem = UncheckedResponse | ((call: object) => unknown)

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

export function isActive(layer: Layer): boolean {
  return !isUsedUp(layer, layer.applied, layer.options.times)
}

export function describeLayer(layer: Layer): AddedOverride {
  const { id, operation, items, isSequence, options, applied, addedAt } = layer
  const shown = items.map((item) => (typeof item === 'object' ? withoutBytes(item) : item))
  const listed = shown.map((item) => (typeof item === 'function' ? 'function' : item))
  const response = isSequence ? { sequence: listed } : typeof shown[0] === 'object' ? shown[0] : {}
  const active = isActive(layer)
  return { id, operation, ...response, ...options, applied, active, addedAt: new Date(addedAt).toISOString() }
}

/** Bytes cannot be listed as JSON. */
export function withoutBytes({ body, ...rest }: UncheckedResponse): UncheckedResponse {
  return body === undefined || isBytes(body) ? rest : { ...rest, body }
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
