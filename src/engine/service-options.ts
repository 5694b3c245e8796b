import { describeUnknown, invalidOption, MockError } from '../engine/contract/errors.js'
import type { Forbiddable } from '../engine/control/lifecycle-warnings.js'
import type { Limits } from '../engine/limits.js'
import {
  applyOptions,
  ENGINE_DEFAULTS,
  ENGINE_EXPECTATIONS,
  type EngineOptions,
  type Expectations,
  isCountFrom,
  isOptionalFunction,
  oneOf,
  rejectUnknown,
} from '../engine/options.js'
import type { PartialFixture } from './fixtures/format.js'
import type { OnProgress } from './fixtures/recipes.js'
import { isScenarioName, type ScenarioName, scenarioNames } from './fixtures/scenarios.js'

export interface PetstoreOptions extends Partial<Limits> {
  /** Makes generated data and random faults repeatable: a whole number of 0 or more. Default: 1. */
  seed?: number
  /** The name of the starting data. Default: `default`, or `empty` when `fixtures` are given. */
  scenario?: ScenarioName
  /** How many categories to generate. Only for generated scenarios. Default: the scenario's own number. */
  categories?: number
  /** How many pets to generate. Only for generated scenarios. Default: the scenario's own number. */
  pets?: number
  /** How many orders to generate. Only for generated scenarios. Default: as many per pet as the scenario has. */
  orders?: number
  /**
   * Your own starting data: an object, or the text of a JSON or YAML file. Merged over the scenario, when one is named.
   * Default: none.
   */
  fixtures?: PartialFixture | string
  /** `off` stores data as it is given: stock and status do not follow orders, references are not checked. Default: `on`. */
  rules?: 'on' | 'off'
  /** `enforce` returns 410 for an operation whose sunset date the mock's clock has passed. Default: `announce`. */
  sunset?: 'announce' | 'enforce'
  /** Rejects query parameters that the OpenAPI document does not declare. Default: false. */
  strict?: boolean
  /** Checks every response against the OpenAPI document and returns 500 for a violation. Default: false. */
  validateResponses?: boolean
  /**
   * Fails the test that uses an operation which the OpenAPI document marks as `deprecated`, `experimental`, `alpha` or
   * `beta`; with `violation`, one that sends a request which violates the document (a mistyped path, an invalid body).
   * Default: none.
   */
  failOn?: readonly Forbiddable[]
  /** Makes `check` throw for a fault rule or an override that was never applied. Default: false. */
  failOnUnused?: boolean
  /** Rejects requests to the API that name no sandbox, so that no test shares the root by mistake. Default: false. */
  requireSandbox?: boolean
  /** Delays every response by this many milliseconds, or by a random time between two numbers. Default: 0. */
  delay?: number | readonly [min: number, max: number]
  /** Called from time to time while data is generated, with the number of pets and orders done and in total. Default: none. */
  onProgress?: (done: number, total: number) => void
}

export interface ResolvedOptions extends EngineOptions {
  readonly scenario: ScenarioName
  readonly categories: number | undefined
  readonly pets: number | undefined
  readonly orders: number | undefined
  readonly fixtures: PartialFixture | string | undefined
  readonly rules: 'on' | 'off'
  readonly onProgress: OnProgress | undefined
}

export const DEFAULTS: ResolvedOptions = {
  ...ENGINE_DEFAULTS,
  scenario: 'default',
  categories: undefined,
  pets: undefined,
  orders: undefined,
  fixtures: undefined,
  rules: 'on',
  onProgress: undefined,
}

const SIZES = ['categories', 'pets', 'orders'] as const

/** More records do not fit into memory. */
const MAX_RECORDS = 10_000_000

const SIZE_EXPECTATION = [
  (value: unknown) => value === undefined || isCountFrom(0, MAX_RECORDS)(value),
  `a whole number from 0 to ${MAX_RECORDS}`,
] as const

/** A path instead of the text of the file. */
const FILE_NAME = /^.*\.(?:json|ya?ml)$/i

const EXPECTATIONS: Expectations<ResolvedOptions> = {
  ...ENGINE_EXPECTATIONS,
  categories: SIZE_EXPECTATION,
  pets: SIZE_EXPECTATION,
  orders: SIZE_EXPECTATION,
  fixtures: [
    (value) =>
      value === undefined || typeof value === 'object' || (typeof value === 'string' && !FILE_NAME.test(value)),
    "an object in the fixture format, or the text of a file: readFileSync('shop.yaml', 'utf8')",
  ],
  rules: [oneOf('on', 'off'), "'on' or 'off'"],
  onProgress: [isOptionalFunction, 'a function'],
}

export function resolveOptions(options: PetstoreOptions): ResolvedOptions {
  rejectUnknown(options, Object.keys(DEFAULTS))
  // Fixtures without a scenario are the complete starting data.
  const onlyFixtures = options.fixtures !== undefined && options.scenario === undefined
  const defaults: ResolvedOptions = onlyFixtures ? { ...DEFAULTS, scenario: 'empty' } : DEFAULTS
  const resolved = applyOptions(options, defaults, EXPECTATIONS)
  if (!isScenarioName(resolved.scenario)) {
    throw new MockError('UNKNOWN_SCENARIO', describeUnknown('scenario', resolved.scenario, scenarioNames()))
  }
  const size = SIZES.find((name) => options[name] !== undefined)
  if (onlyFixtures && size !== undefined) {
    throw invalidOption(size, 'omitted when fixtures are given without a scenario', options[size])
  }
  return resolved
}

/** The options that decide about the starting data, and the others. The size of the journal changes no response. */
export function describeOptions({ fixtures, onProgress, journalSize, journalBytes, ...options }: PetstoreOptions) {
  const { seed, scenario, categories, pets, orders, ...others } = options
  return { data: { seed, scenario, categories, pets, orders }, others }
}

/** The options of a mock after `load(fixtures)`, or of an instance after a reset that changes others as well. */
export function withFixtures(
  options: PetstoreOptions,
  fixtures: PartialFixture | string,
  changes: ResetOptions = {},
): ResolvedOptions {
  const { categories, pets, orders, ...others } = options
  // Sizes belong to a scenario.
  const sized = options.scenario === undefined || changes.scenario !== undefined ? others : options
  // Null is passed on to the fixture check, which rejects it.
  const given = typeof fixtures === 'string' ? fixtures : {}
  return { ...resolveOptions({ ...sized, ...changes, fixtures: given }), fixtures: fixtures ?? (null as never) }
}

/** Chooses other starting data. A missing field stays as it was at creation. */
export type ResetOptions = Pick<PetstoreOptions, (typeof RESET_OPTIONS)[number]>

const RESET_OPTIONS = ['seed', 'scenario', ...SIZES, 'fixtures'] as const

/** The options of an instance after `reset(changes)`. */
export function withReset(given: PetstoreOptions, current: ResolvedOptions, wanted: ResetOptions): ResolvedOptions {
  rejectUnknown(wanted, RESET_OPTIONS)
  const { fixtures, ...changes }: ResetOptions = Object.fromEntries(
    Object.entries(wanted).filter(([, value]) => value !== undefined),
  )
  if (fixtures !== undefined) return withFixtures(given, fixtures, changes)
  // The fixtures and sizes belong to the first scenario.
  const { fixtures: first, categories, pets, orders, ...others } = current
  return resolveOptions({ ...(changes.scenario === undefined ? current : others), ...changes } as PetstoreOptions)
}
