import { describeValue } from '../lib/thrown.js'
import { describeUnknown, invalidOption, MockError } from './contract/errors.js'
import { FORBIDDABLE, type Forbiddable } from './control/lifecycle-warnings.js'
import { DEFAULT_LIMITS, type Limits } from './limits.js'

/** The options that a mock of any service has, with defaults applied. */
export interface EngineOptions extends Readonly<Limits> {
  readonly seed: number
  readonly scenario: string
  readonly sunset: 'announce' | 'enforce'
  readonly strict: boolean
  readonly security: 'ignore' | 'require'
  readonly validateResponses: boolean
  readonly failOn: readonly Forbiddable[]
  readonly delay: number | readonly [min: number, max: number]
  readonly requireSandbox: boolean
  readonly failOnUnused: boolean
}

export const ENGINE_DEFAULTS: EngineOptions = {
  seed: 1,
  scenario: 'default',
  sunset: 'announce',
  strict: false,
  security: 'ignore',
  validateResponses: false,
  failOn: [],
  delay: 0,
  requireSandbox: false,
  failOnUnused: false,
  ...DEFAULT_LIMITS,
}

/** A larger journal does not fit into memory. */
const MAX_JOURNAL_SIZE = 1_000_000

/** Reading deeper JSON could overflow the stack. */
const MAX_JSON_DEPTH = 1000

/** Ten minutes. Timers accept no more than 24 days, and no client waits that long. */
export const MAX_DELAY_MS = 600_000

/** What each option must be, and how that reads after "must be". A secret is not repeated in the error. */
export type Expectations<Options> = {
  readonly [Name in keyof Options]: readonly [
    isValid: (value: unknown) => boolean,
    expectation: string,
    kind?: 'secret',
  ]
}

export const ENGINE_EXPECTATIONS: Expectations<EngineOptions> = {
  seed: [isCountFrom(0), 'a whole number of 0 or more'],
  scenario: [(value) => typeof value === 'string', 'the name of a scenario'],
  sunset: [oneOf('announce', 'enforce'), "'announce' or 'enforce'"],
  strict: [isBoolean, 'true or false'],
  security: [oneOf('ignore', 'require'), "'ignore' or 'require'"],
  validateResponses: [isBoolean, 'true or false'],
  failOn: [isListOfForbiddable, `a list of ${FORBIDDABLE.join(', ')}`],
  delay: [isDelay, `a number of milliseconds up to ${MAX_DELAY_MS}, or a list of a minimum and a maximum`],
  requireSandbox: [isBoolean, 'true or false'],
  failOnUnused: [isBoolean, 'true or false'],
  maxBodyBytes: [isCountFrom(0), 'a number of bytes'],
  maxJsonDepth: [isCountFrom(0, MAX_JSON_DEPTH), `a whole number from 0 to ${MAX_JSON_DEPTH}`],
  maxJsonValues: [isCountFrom(0), 'a whole number of 0 or more'],
  maxStateBytes: [isCountFrom(0), 'a number of bytes'],
  maxUrlLength: [isCountFrom(0), 'a whole number of 0 or more'],
  maxQueryParameters: [isCountFrom(0), 'a whole number of 0 or more'],
  journalSize: [isCountFrom(0, MAX_JOURNAL_SIZE), `a whole number from 0 to ${MAX_JOURNAL_SIZE}`],
  journalBytes: [isCountFrom(0), 'a number of bytes'],
  maxSandboxes: [isCountFrom(1), 'a whole number of 1 or more'],
  sandboxIdleMs: [isCountFrom(1), 'a whole number of 1 or more'],
}

/** Shown instead of a secret. It is no string, so it is not quoted. */
const HIDDEN = { toString: () => 'a value that is not shown' }

/** Applies the defaults. Throws INVALID_OPTION when an option is not what it must be. */
export function applyOptions<Options extends object>(
  given: object,
  defaults: Options,
  expectations: Expectations<Options>,
): Options {
  const resolved = { ...defaults }
  for (const name of Object.keys(defaults) as (keyof Options & string)[]) {
    const value = (given as Partial<Options>)[name]
    if (value === undefined) continue
    const [isValid, expectation, kind] = expectations[name]
    if (!isValid(value)) throw invalidOption(name, expectation, kind === 'secret' ? HIDDEN : value)
    resolved[name] = value
  }
  return resolved
}

/** Throws INVALID_OPTION when an option is unknown: a typo must not go unnoticed. */
export function rejectUnknown(given: unknown, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null) {
    throw new MockError('INVALID_OPTION', `The options must be an object. Received: ${describeValue(given)}.`)
  }
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new MockError('INVALID_OPTION', describeUnknown('option', unknown, known), { option: unknown })
}

export function isCountFrom(min: number, max: number = Number.MAX_SAFE_INTEGER): (value: unknown) => boolean {
  return (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
}

export function isOptionalFunction(value: unknown): boolean {
  return value === undefined || typeof value === 'function'
}

export function oneOf(...values: string[]): (value: unknown) => boolean {
  return (value) => values.includes(value as string)
}

function isDelay(value: unknown): boolean {
  const [min, max = min] = Array.isArray(value) ? value : [value]
  const isRange = !Array.isArray(value) || value.length === 2
  return isRange && [min, max].every(isCountFrom(0)) && min <= max && max <= MAX_DELAY_MS
}

function isListOfForbiddable(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => FORBIDDABLE.includes(each))
}

export function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean'
}
