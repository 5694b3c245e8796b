import { FORBIDDABLE, type Forbiddable } from '../document/contract/operation.js'
import { describeUnknown, invalidOption, MockError } from '../http/errors.js'
import { DEFAULT_LIMITS, type Limits } from '../http/limits.js'
import { describeValue } from '../lib/functions.js'

/** Options of a mock of any service. */
export interface CommonOptions extends Limits {
  /** Makes generated data and random faults repeatable: a whole number of 0 or more. Default: 1. */
  seed: number
  /** `enforce` returns 410 for an operation whose sunset date the mock's clock has passed. Default: `announce`. */
  sunset: 'announce' | 'enforce'
  /** Rejects query parameters that the OpenAPI document does not declare. Default: false. */
  strict: boolean
  /** `require` rejects requests without the credentials that the OpenAPI document requires. Default: `ignore`. */
  security: 'ignore' | 'require'
  /** Checks every response against the OpenAPI document and returns 500 for a violation. Default: false. */
  validateResponses: boolean
  /**
   * Fails the test that uses an operation which the OpenAPI document marks as `deprecated`, `experimental`, `alpha` or
   * `beta`; with `violation`, one that sends a request which violates the document (a mistyped path, an invalid body).
   * Default: none.
   */
  failOn: readonly Forbiddable[]
  /** Makes `check` throw for a fault rule or an override that was never applied. Default: false. */
  failOnUnused: boolean
  /** Rejects requests to the API that name no sandbox, so that no test shares the root by mistake. Default: false. */
  requireSandbox: boolean
  /** Delays every response by this many milliseconds, or by a random time between two numbers. Default: 0. */
  delay: number | readonly [min: number, max: number]
}

/** The same with defaults applied. */
export interface EngineOptions extends Readonly<CommonOptions> {
  readonly scenario: string
}

/** A larger journal does not fit into memory. */
const MAX_JOURNAL_SIZE = 1_000_000

/** Reading deeper JSON could overflow the stack. */
const MAX_JSON_DEPTH = 1000

/** Ten minutes. Timers accept no more than 24 days, and no client waits that long. */
export const MAX_DELAY_MS = 600_000

/**
 * Each option: its default, what it must be, and how that reads after "must be"; and the values to choose from, or that it is
 * a secret, which is not repeated in the error. The flags of the command line have the same defaults and values.
 */
export type OptionRows<Options> = {
  readonly [Name in keyof Options]-?: readonly [
    defaultValue: Options[Name],
    isValid: (value: unknown) => boolean,
    expectation: string,
    kind?: 'secret' | readonly string[],
  ]
}

/** Options with defaults applied. Those in `Empty` have none. */
export type Resolved<Options, Empty extends keyof Options = never> = {
  readonly [Name in keyof Options]-?: Options[Name] | (Name extends Empty ? undefined : never)
}

const isBoolean = (value: unknown): boolean => typeof value === 'boolean'

export const BOOLEAN = [isBoolean, 'true or false'] as const

const COUNT = [isCountFrom(0), 'a whole number of 0 or more'] as const
const BYTES = [isCountFrom(0), 'a number of bytes'] as const
const COUNT_FROM_1 = [isCountFrom(1), 'a whole number of 1 or more'] as const

export const ENGINE_OPTIONS: OptionRows<EngineOptions> = {
  seed: [1, ...COUNT],
  scenario: ['default', (value) => typeof value === 'string', 'the name of a scenario'],
  sunset: ['announce', ...oneOf('announce', 'enforce')],
  strict: [false, ...BOOLEAN],
  security: ['ignore', ...oneOf('ignore', 'require')],
  validateResponses: [false, ...BOOLEAN],
  failOn: [[], isListOfForbiddable, `a list of ${FORBIDDABLE.join(', ')}`],
  delay: [0, isDelay, `a number of milliseconds up to ${MAX_DELAY_MS}, or a list of a minimum and a maximum`],
  requireSandbox: [false, ...BOOLEAN],
  failOnUnused: [false, ...BOOLEAN],
  maxBodyBytes: [DEFAULT_LIMITS.maxBodyBytes, ...BYTES],
  maxJsonDepth: [
    DEFAULT_LIMITS.maxJsonDepth,
    isCountFrom(0, MAX_JSON_DEPTH),
    `a whole number from 0 to ${MAX_JSON_DEPTH}`,
  ],
  maxJsonValues: [DEFAULT_LIMITS.maxJsonValues, ...COUNT],
  maxStateBytes: [DEFAULT_LIMITS.maxStateBytes, ...BYTES],
  maxUrlLength: [DEFAULT_LIMITS.maxUrlLength, ...COUNT],
  maxQueryParameters: [DEFAULT_LIMITS.maxQueryParameters, ...COUNT],
  journalSize: [
    DEFAULT_LIMITS.journalSize,
    isCountFrom(0, MAX_JOURNAL_SIZE),
    `a whole number from 0 to ${MAX_JOURNAL_SIZE}`,
  ],
  journalBytes: [DEFAULT_LIMITS.journalBytes, ...BYTES],
  maxSandboxes: [DEFAULT_LIMITS.maxSandboxes, ...COUNT_FROM_1],
  sandboxIdleMs: [DEFAULT_LIMITS.sandboxIdleMs, ...COUNT_FROM_1],
}

export function defaultsOf<Options>(rows: OptionRows<Options>): Options {
  const entries = Object.entries<OptionRows<Options>[keyof Options]>(rows)
  return Object.fromEntries(entries.map(([name, [value]]) => [name, value])) as Options
}

/** Shown instead of a secret. It is no string, so it is not quoted. */
const HIDDEN = { toString: () => 'a value that is not shown' }

/** Applies the defaults. Throws INVALID_OPTION when an option is not what it must be. */
export function applyOptions<Options>(given: object, rows: OptionRows<Options>): Options {
  const resolved = defaultsOf(rows)
  for (const name of Object.keys(rows) as (keyof Options & string)[]) {
    const value = (given as Partial<Options>)[name]
    if (value === undefined) continue
    const [, isValid, expectation, kind] = rows[name]
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

export function oneOf(...values: string[]) {
  const expectation = values.map((value) => `'${value}'`).join(' or ')
  return [(value: unknown) => values.includes(value as string), expectation, values] as const
}

function isDelay(value: unknown): boolean {
  const [min, max = min] = Array.isArray(value) ? value : [value]
  const isRange = !Array.isArray(value) || value.length === 2
  return isRange && [min, max].every(isCountFrom(0)) && min <= max && max <= MAX_DELAY_MS
}

function isListOfForbiddable(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => FORBIDDABLE.includes(each))
}
