import { MockError } from './contract/errors.js'
import type { PartialFixture } from './fixtures/format.js'
import type { OnProgress } from './fixtures/progress.js'
import { DEFAULT_SEED, isScenarioName, type ScenarioName, scenarioNames } from './fixtures/scenarios.js'

export interface PetstoreOptions {
  /** The same seed gives the same world, on any machine: a whole number of 0 or more. Default: 1. */
  seed?: number
  /** The starting world by name. Default: `default`, or `empty` under fixtures of one's own. */
  scenario?: string
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
  /** The largest request body that is taken. Default: 1,048,576. */
  maxBodyBytes?: number
  /** Checks every answer against the document and turns a violation into a 500 that names it. Default: false. */
  validateResponses?: boolean
  /** Told now and then, while a world is generated, how many pets and orders of all are done. Default: nothing. */
  onProgress?: (done: number, total: number) => void
}

export interface ResolvedOptions {
  readonly seed: number
  readonly scenario: ScenarioName
  readonly categories: number | undefined
  readonly pets: number | undefined
  readonly orders: number | undefined
  readonly fixtures: PartialFixture | undefined
  readonly rules: 'on' | 'off'
  readonly sunset: 'announce' | 'enforce'
  readonly strict: boolean
  readonly maxBodyBytes: number
  readonly validateResponses: boolean
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
  maxBodyBytes: 1_048_576,
  validateResponses: false,
  onProgress: undefined,
}

/** Fixtures alone are the whole world; over a scenario they are laid when one is named. */
const OWN_WORLD: Partial<ResolvedOptions> = { scenario: 'empty' }

/** Beyond this a world does not fit into memory, and nobody would wait for it. */
const MOST_RECORDS = 10_000_000

/** What each option must be, as it reads after "must be". */
const EXPECTATIONS: { readonly [K in keyof ResolvedOptions]: readonly [(value: unknown) => boolean, string] } = {
  seed: [isCount, 'a whole number of 0 or more'],
  scenario: [(value) => typeof value === 'string', 'the name of a scenario'],
  categories: [isOptionalSize, `a whole number from 0 to ${MOST_RECORDS}`],
  pets: [isOptionalSize, `a whole number from 0 to ${MOST_RECORDS}`],
  orders: [isOptionalSize, `a whole number from 0 to ${MOST_RECORDS}`],
  fixtures: [(value) => value === undefined || typeof value === 'object', 'an object in the fixture format'],
  rules: [oneOf('on', 'off'), "'on' or 'off'"],
  sunset: [oneOf('announce', 'enforce'), "'announce' or 'enforce'"],
  strict: [isBoolean, 'true or false'],
  maxBodyBytes: [isCount, 'a number of bytes'],
  validateResponses: [isBoolean, 'true or false'],
  onProgress: [(value) => value === undefined || typeof value === 'function', 'a function'],
}

/** Applies the defaults; an option that is unknown or out of range is refused, because a typo must be loud. */
export function resolveOptions(options: PetstoreOptions): ResolvedOptions {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(DEFAULTS, name)) {
      throw new MockError('INVALID_OPTION', `there is no option ${name}: there are ${Object.keys(DEFAULTS).join(', ')}`)
    }
  }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const resolved = { ...DEFAULTS, ...(given.fixtures !== undefined && OWN_WORLD), ...given } as ResolvedOptions
  for (const [name, [isValid, expectation]] of Object.entries(EXPECTATIONS)) {
    const value = resolved[name as keyof ResolvedOptions]
    if (!isValid(value)) {
      throw new MockError('INVALID_OPTION', `the option ${name} must be ${expectation}, but is ${String(value)}`)
    }
  }
  if (!isScenarioName(resolved.scenario)) {
    const known = scenarioNames().join(', ')
    throw new MockError('UNKNOWN_SCENARIO', `there is no scenario ${String(resolved.scenario)}: there are ${known}`)
  }
  return resolved
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isOptionalSize(value: unknown): boolean {
  return value === undefined || (isCount(value) && (value as number) <= MOST_RECORDS)
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean'
}

function oneOf(...values: string[]): (value: unknown) => boolean {
  return (value) => values.includes(value as string)
}
