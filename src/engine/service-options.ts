import { describeUnknown, invalidOption, MockError } from './contract/errors.js'
import type { OnProgress, Scenarios, Sizes } from './data/scenarios.js'
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
} from './options.js'

/** The options of a mock, with defaults applied. Beside these, each resource has one for how many records to generate. */
export interface ServiceOptions extends EngineOptions {
  readonly fixtures: object | string | undefined
  readonly rules: 'on' | 'off'
  readonly onProgress: OnProgress | undefined
}

/** The options that do not depend on the resources. */
export const SERVICE_DEFAULTS: ServiceOptions = {
  ...ENGINE_DEFAULTS,
  fixtures: undefined,
  rules: 'on',
  onProgress: undefined,
}

/** More records do not fit into memory. */
const MAX_RECORDS = 10_000_000

const SIZE_EXPECTATION = [
  (value: unknown) => value === undefined || isCountFrom(0, MAX_RECORDS)(value),
  `a whole number from 0 to ${MAX_RECORDS}`,
] as const

/** A path instead of the text of the file. */
const FILE_NAME = /^.*\.(?:json|ya?ml)$/i

const EXPECTATIONS: Expectations<ServiceOptions> = {
  ...ENGINE_EXPECTATIONS,
  fixtures: [
    (value) =>
      value === undefined || typeof value === 'object' || (typeof value === 'string' && !FILE_NAME.test(value)),
    "an object in the fixture format, or the text of a file: readFileSync('shop.yaml', 'utf8')",
  ],
  rules: [oneOf('on', 'off'), "'on' or 'off'"],
  onProgress: [isOptionalFunction, 'a function'],
}

/** Options as they are given: nothing is known about them. */
type Given = Readonly<Record<string, unknown>>

/** Reads the options of a service whose starting data has these scenarios, and the number of these resources in it. */
export function createServiceOptions(resources: readonly string[], scenarios: Pick<Scenarios, 'names'>) {
  // An option that every service has wins over a resource with its name.
  const sizes = resources.filter((name) => !(name in SERVICE_DEFAULTS))
  const defaults: ServiceOptions = { ...ENGINE_DEFAULTS, ...valuesFor(sizes, undefined), ...SERVICE_DEFAULTS }
  const expectations = { ...EXPECTATIONS, ...valuesFor(sizes, SIZE_EXPECTATION) }
  const resettable = ['seed', 'scenario', ...sizes, 'fixtures']

  /** Throws a MockError when an option is unknown or invalid. */
  function resolve(options: Given): ServiceOptions {
    rejectUnknown(options, Object.keys(defaults))
    // Fixtures without a scenario are the complete starting data.
    const onlyFixtures = options.fixtures !== undefined && options.scenario === undefined
    const resolved = applyOptions(options, onlyFixtures ? { ...defaults, scenario: 'empty' } : defaults, expectations)
    if (!scenarios.names().includes(resolved.scenario)) {
      throw new MockError('UNKNOWN_SCENARIO', describeUnknown('scenario', resolved.scenario, scenarios.names()))
    }
    const size = sizes.find((name) => options[name] !== undefined)
    if (onlyFixtures && size !== undefined) {
      throw invalidOption(size, 'omitted when fixtures are given without a scenario', options[size])
    }
    return resolved
  }

  /** The options of a mock after `load(fixtures)`, or of an instance after a reset that changes others as well. */
  function withFixtures(options: Given, fixtures: object | string, changes: Given = {}): ServiceOptions {
    // Sizes belong to a scenario.
    const isSized = options.scenario !== undefined && changes.scenario === undefined
    // Null is passed on to the fixture check, which rejects it.
    const given = typeof fixtures === 'string' ? fixtures : {}
    const resolved = resolve({ ...(isSized ? options : without(sizes, options)), ...changes, fixtures: given })
    return { ...resolved, fixtures: fixtures ?? (null as never) }
  }

  return {
    defaults,
    resolve,
    withFixtures,
    /** How many records of each resource are wanted. */
    sizesOf: (options: object): Sizes =>
      Object.fromEntries(sizes.map((name) => [name, (options as Given)[name] as number])),
    /** The options that decide about the starting data, and the others. The size of the journal changes no response. */
    describe(options: Given): { data: object; others: object } {
      const data = Object.fromEntries(['seed', 'scenario', ...sizes].map((name) => [name, options[name]]))
      const hidden = ['fixtures', 'onProgress', 'journalSize', 'journalBytes']
      return { data, others: without([...Object.keys(data), ...hidden], options) }
    },
    /** The options of an instance after `reset(changes)`. */
    withReset(given: Given, current: ServiceOptions, wanted: Given): ServiceOptions {
      rejectUnknown(wanted, resettable)
      const { fixtures, ...changes } = Object.fromEntries(
        Object.entries(wanted).filter(([, value]) => value !== undefined),
      )
      if (fixtures !== undefined) return withFixtures(given, fixtures as object | string, changes)
      // The fixtures and sizes belong to the first scenario.
      const others = without(['fixtures', ...sizes], { ...current })
      return resolve({ ...(changes.scenario === undefined ? current : others), ...changes })
    },
  }
}

function valuesFor<Value>(names: readonly string[], value: Value): Record<string, Value> {
  return Object.fromEntries(names.map((name) => [name, value]))
}

function without(names: readonly string[], options: Given): Given {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)))
}
