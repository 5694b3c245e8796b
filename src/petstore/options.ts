import { describeUnknown, invalidOption, MockError } from '../engine/contract/errors.js'
import { type LifecycleMarker, MARKERS } from '../engine/control/lifecycle-warnings.js'
import { DEFAULT_LIMITS, type Limits } from '../engine/limits.js'
import type { PartialFixture } from './fixtures/format.js'
import type { OnProgress } from './fixtures/progress.js'
import { DEFAULT_SEED, isScenarioName, type ScenarioName, scenarioNames } from './fixtures/scenarios.js'

export interface PetstoreOptions extends Partial<Limits> {
  /** The same seed gives the same world, on any machine: a whole number of 0 or more. Default: 1. */
  seed?: number
  /** The starting world by name. Default: `default`, or `empty` under fixtures of one's own. */
  scenario?: ScenarioName
  /** How many categories to generate, for a scenario that is played at a seed. Default: the scenario's own. */
  categories?: number
  /** How many pets to generate. Default: the scenario's own. */
  pets?: number
  /** How many orders to generate. Default: as many to a pet as the scenario has. */
  orders?: number
  /** Data of one's own, whole or in part, laid over the scenario. Default: none. */
  fixtures?: PartialFixture
  /** `off` stores what it is given: no stock moves, no status follows, no reference is checked. Default: `on`. */
  rules?: 'on' | 'off'
  /** `enforce` answers 410 for an operation whose sunset the store's clock has passed. Default: `announce`. */
  sunset?: 'announce' | 'enforce'
  /** Refuses query parameters that the document does not declare. Default: false. */
  strict?: boolean
  /** Checks every answer against the document and turns a violation into a 500 that names it. Default: false. */
  validateResponses?: boolean
  /**
   * Operations whose use fails the test, by what the document marks them with: `deprecated`, `experimental`, `alpha`,
   * `beta`. Default: none.
   */
  failOn?: readonly LifecycleMarker[]
  /** How long every answer of the store takes, in milliseconds, or any time from the least to the most. Default: 0. */
  delay?: number | readonly [least: number, most: number]
  /** Told now and then, while a world is generated, how many pets and orders of all are done. Default: nothing. */
  onProgress?: (done: number, total: number) => void
}

export interface ResolvedOptions extends Readonly<Limits> {
  readonly seed: number
  readonly scenario: ScenarioName
  readonly categories: number | undefined
  readonly pets: number | undefined
  readonly orders: number | undefined
  readonly fixtures: PartialFixture | undefined
  readonly rules: 'on' | 'off'
  readonly sunset: 'announce' | 'enforce'
  readonly strict: boolean
  readonly validateResponses: boolean
  readonly failOn: readonly LifecycleMarker[]
  readonly delay: number | readonly [least: number, most: number]
  readonly onProgress: OnProgress | undefined
}

export const DEFAULTS: ResolvedOptions = {
  seed: DEFAULT_SEED,
  scenario: 'default',
  categories: undefined,
  pets: undefined,
  orders: undefined,
  fixtures: undefined,
  rules: 'on',
  sunset: 'announce',
  strict: false,
  validateResponses: false,
  failOn: [],
  delay: 0,
  onProgress: undefined,
  ...DEFAULT_LIMITS,
}

const SIZES = ['categories', 'pets', 'orders'] as const

/** Fixtures alone are the whole world; over a scenario they are laid when one is named. */
const OWN_WORLD: Partial<ResolvedOptions> = { scenario: 'empty' }

/** Beyond this a journal does not fit either. */
const MAX_ENTRIES = 1_000_000

/** Beyond this whatever goes down into a body could run out of stack. */
const MAX_LEVELS = 1000

/** Beyond this a world does not fit into memory, and nobody would wait for it. */
const MAX_RECORDS = 10_000_000

/** Ten minutes: nobody waits longer, and timers cannot. */
export const MAX_DELAY_MS = 600_000

const EXPECTATIONS: Expectations<ResolvedOptions> = {
  seed: [isCountFrom(0), 'a whole number of 0 or more'],
  scenario: [(value) => typeof value === 'string', 'the name of a scenario'],
  categories: [isOptionalSize, `a whole number from 0 to ${MAX_RECORDS}`],
  pets: [isOptionalSize, `a whole number from 0 to ${MAX_RECORDS}`],
  orders: [isOptionalSize, `a whole number from 0 to ${MAX_RECORDS}`],
  fixtures: [(value) => value === undefined || typeof value === 'object', 'an object in the fixture format'],
  rules: [oneOf('on', 'off'), "'on' or 'off'"],
  sunset: [oneOf('announce', 'enforce'), "'announce' or 'enforce'"],
  strict: [isBoolean, 'true or false'],
  maxBodyBytes: [isCountFrom(0), 'a number of bytes'],
  maxJsonDepth: [isCountFrom(0, MAX_LEVELS), `a whole number from 0 to ${MAX_LEVELS}`],
  maxJsonValues: [isCountFrom(0), 'a whole number of 0 or more'],
  maxStateBytes: [isCountFrom(0), 'a number of bytes'],
  maxUrlLength: [isCountFrom(0), 'a whole number of 0 or more'],
  maxQueryParameters: [isCountFrom(0), 'a whole number of 0 or more'],
  validateResponses: [isBoolean, 'true or false'],
  journalSize: [isCountFrom(0, MAX_ENTRIES), `a whole number from 0 to ${MAX_ENTRIES}`],
  journalBytes: [isCountFrom(0), 'a number of bytes'],
  failOn: [isListOfMarkers, `a list of ${MARKERS.join(', ')}`],
  delay: [isDelay, `a number of milliseconds up to ${MAX_DELAY_MS}, or a list of the least and the most`],
  maxSandboxes: [isCountFrom(1), 'a whole number of 1 or more'],
  sandboxIdleMs: [isCountFrom(1), 'a whole number of 1 or more'],
  onProgress: [isOptionalFunction, 'a function'],
}

export function resolveOptions(options: PetstoreOptions): ResolvedOptions {
  refuseUnknown(options, Object.keys(DEFAULTS))
  const ownWorld = options.fixtures !== undefined && options.scenario === undefined
  const resolved = applyOptions(options, { ...DEFAULTS, ...(ownWorld && OWN_WORLD) }, EXPECTATIONS)
  if (!isScenarioName(resolved.scenario)) {
    throw new MockError('UNKNOWN_SCENARIO', describeUnknown('scenario', resolved.scenario, scenarioNames()))
  }
  const size = SIZES.find((name) => options[name] !== undefined)
  if (ownWorld && size !== undefined) {
    throw invalidOption(size, 'omitted when fixtures are given without a scenario', options[size])
  }
  return resolved
}

/** What each option must be, and how that reads after "must be". */
export type Expectations<Options> = {
  readonly [Name in keyof Options]: readonly [isValid: (value: unknown) => boolean, expectation: string]
}

/** Applies the defaults to the options that are given, and refuses one that is not what it must be. */
export function applyOptions<Options extends object>(
  given: object,
  defaults: Options,
  expectations: Expectations<Options>,
): Options {
  const resolved = { ...defaults }
  for (const name of Object.keys(defaults) as (keyof Options & string)[]) {
    const value = (given as Partial<Options>)[name]
    if (value !== undefined) resolved[name] = value
    const [isValid, expectation] = expectations[name]
    if (!isValid(resolved[name])) throw invalidOption(name, expectation, value)
  }
  return resolved
}

/** A typo must be loud. */
export function refuseUnknown(given: unknown, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null) {
    throw new MockError('INVALID_OPTION', `The options must be an object. Received: ${String(given)}.`)
  }
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new MockError('INVALID_OPTION', describeUnknown('option', unknown, known), { option: unknown })
}

/** A whole number from the least to the most. */
export function isCountFrom(least: number, most: number = Number.MAX_SAFE_INTEGER): (value: unknown) => boolean {
  return (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
}

function isDelay(value: unknown): boolean {
  const [least, most = least] = Array.isArray(value) ? value : [value]
  const isRange = !Array.isArray(value) || value.length === 2
  return isRange && [least, most].every(isCountFrom(0)) && least <= most && most <= MAX_DELAY_MS
}

function isOptionalSize(value: unknown): boolean {
  return value === undefined || isCountFrom(0, MAX_RECORDS)(value)
}

function isListOfMarkers(value: unknown): boolean {
  return Array.isArray(value) && value.every((marker) => MARKERS.includes(marker))
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean'
}

export function isOptionalFunction(value: unknown): boolean {
  return value === undefined || typeof value === 'function'
}

function oneOf(...values: string[]): (value: unknown) => boolean {
  return (value) => values.includes(value as string)
}
