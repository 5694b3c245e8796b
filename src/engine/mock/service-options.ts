import { describeUnknown, invalidOption, MockError } from '../../http/errors.js'
import { isPlainObject, withoutUndefined } from '../../lib/values.js'
import { ALL } from '../data/record-counts.js'
import type { OnProgress, Scenarios, Sizes } from '../data/scenarios.js'
import {
  applyOptions,
  defaultsOf,
  ENGINE_OPTIONS,
  type EngineOptions,
  isCountFrom,
  isOptionalFunction,
  type OptionRows,
  oneOf,
  rejectUnknown,
} from '../options.js'

/** The options of a mock, with defaults applied. Those of the built-in service have one for the size of each resource. */
export interface ServiceOptions extends EngineOptions {
  readonly fixtures: object | string | undefined
  /**
   * How many records of each resource of your own service to generate, such as `{ books: 200, all: 0 }`; `all` stands for
   * those that are not named. Default: up to 10 of each.
   */
  readonly sizes?: Sizes | undefined
  readonly rules: 'on' | 'off'
  readonly onProgress: OnProgress | undefined
}

/** More records do not fit into memory. */
const MAX_RECORDS = 10_000_000

const SIZE = [
  undefined,
  (value: unknown) => value === undefined || isSize(value),
  `a whole number from 0 to ${MAX_RECORDS}`,
] as const

const isSize = isCountFrom(0, MAX_RECORDS)

const SIZES = [
  undefined,
  (value: unknown) => value === undefined || (isPlainObject(value) && Object.values(value).every(isSize)),
  `an object with whole numbers from 0 to ${MAX_RECORDS}, such as { ${ALL}: 0 }`,
] as const

/** A path instead of the text of the file. */
const FILE_NAME = /^.*\.(?:json|ya?ml)$/i

/** Those that do not depend on the resources. */
export const SERVICE_OPTIONS: OptionRows<Omit<ServiceOptions, 'sizes'>> = {
  ...ENGINE_OPTIONS,
  fixtures: [
    undefined,
    (value) =>
      value === undefined || typeof value === 'object' || (typeof value === 'string' && !FILE_NAME.test(value)),
    "an object in the fixture format, or the text of a file: readFileSync('shop.yaml', 'utf8')",
  ],
  rules: ['on', ...oneOf('on', 'off')],
  onProgress: [undefined, isOptionalFunction, 'a function'],
}

/** Options as they are given: nothing is known about them. */
type Given = Readonly<Record<string, unknown>>

/** Reads the options of a service whose starting data has these scenarios, and the number of these resources in it. */
export function createServiceOptions(
  resources: readonly string[],
  { names, defaultSizes = {} }: Pick<Scenarios, 'names' | 'defaultSizes'>,
) {
  // The names of resources that are read from a document could be those of options.
  const own = Object.keys(defaultSizes)
  const sizes = own.length > 0 ? own : ['sizes']
  const sizeNames = [...resources, ALL]
  const sizeRows = own.length > 0 ? Object.fromEntries(own.map((name) => [name, SIZE])) : { sizes: SIZES }
  const rows: OptionRows<ServiceOptions> = {
    ...ENGINE_OPTIONS,
    ...(sizeRows as { sizes: typeof SIZES }),
    ...SERVICE_OPTIONS,
  }
  const resettable = ['seed', 'scenario', ...sizes, 'fixtures']

  /** Throws a MockError when an option is unknown or invalid. */
  function resolve(options: Given): ServiceOptions {
    rejectUnknown(options, Object.keys(rows))
    // Fixtures without a scenario are the complete starting data.
    const onlyFixtures = options.fixtures !== undefined && options.scenario === undefined
    const resolved = applyOptions(onlyFixtures ? { ...options, scenario: 'empty' } : options, rows)
    if (!names().includes(resolved.scenario)) {
      throw new MockError('UNKNOWN_SCENARIO', describeUnknown('scenario', resolved.scenario, names()))
    }
    const unknown = Object.keys(Object(options.sizes)).find((name) => !sizeNames.includes(name))
    if (unknown !== undefined) {
      const message = `sizes: ${describeUnknown('resource', unknown, sizeNames)}`
      throw new MockError('INVALID_OPTION', message, { option: 'sizes' })
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
    return { ...resolved, fixtures: fixtures ?? null }
  }

  return {
    defaults: defaultsOf(rows),
    resolve,
    withFixtures,
    /** How many records of each resource are wanted. */
    sizesOf: (options: ServiceOptions): Sizes =>
      own.length > 0
        ? Object.fromEntries(own.map((name) => [name, (options as unknown as Given)[name] as number]))
        : (options.sizes ?? {}),
    /** The options that decide about the starting data, and the others. The size of the journal changes no response. */
    describe(options: Given): { data: object; others: object } {
      const data = Object.fromEntries(['seed', 'scenario', ...sizes].map((name) => [name, options[name]]))
      const hidden = ['fixtures', 'onProgress', 'journalSize', 'journalBytes']
      return { data, others: without([...Object.keys(data), ...hidden], options) }
    },
    /** The options of an instance after `reset(changes)`. */
    withReset(given: Given, current: ServiceOptions, wanted: Given): ServiceOptions {
      rejectUnknown(wanted, resettable)
      const { fixtures, ...changes } = withoutUndefined(wanted)
      if (fixtures !== undefined) return withFixtures(given, fixtures as object | string, changes)
      // The fixtures and sizes belong to the first scenario.
      const others = without(['fixtures', ...sizes], { ...current })
      return resolve({ ...(changes.scenario === undefined ? current : others), ...changes })
    },
  }
}

function without(names: readonly string[], options: Given): Given {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)))
}
