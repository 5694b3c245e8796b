import { invalidOption } from '../../http/errors.js'
import { type AnyFixture, entriesIn } from './format.js'

/** How many records of each resource to generate. */
export type Sizes = Readonly<Record<string, number | undefined>>

/** Called while data is generated, with the number of records done so far and in total. */
export type OnProgress = (done: number, total: number) => void

/** A scenario's description and sizes. */
export interface ScenarioSummary {
  readonly name: string
  readonly description: string
  readonly sizes: Readonly<Record<string, number>>
}

/** Something in a schema that no value was found for. */
export interface ImpossibleField {
  /** The name of the resource. */
  readonly resource: string
  /** The schema of the record in the document, and where the value would be in a record. */
  readonly schema: string
  readonly pointer: string
  readonly expected: string
}

/** The named starting data of a service. One of them is `default`, and one is `empty`. */
export interface Scenarios {
  names(): readonly string[]
  list(): readonly ScenarioSummary[]
  /** The resources whose number of records can be chosen, each with what it is by default, in words. Default: none. */
  readonly defaultSizes?: Readonly<Record<string, string>>
  /** Returns a promise when the data has to be generated. Throws a MockError for sizes that it cannot have. */
  load(name: string, seed: number, sizes: Sizes, onProgress?: OnProgress): AnyFixture | Promise<AnyFixture>
}

/** Scenarios as a service describes them: fixtures by name, or functions that load and list them. */
export function toScenarios(
  scenarios: Scenarios | Readonly<Record<string, AnyFixture>>,
  resources: () => readonly string[],
): Scenarios {
  return isFixtures(scenarios) ? fixedScenarios(scenarios, resources()) : scenarios
}

export const isFixtures = (
  scenarios: Scenarios | Readonly<Record<string, AnyFixture>> | undefined,
): scenarios is Readonly<Record<string, AnyFixture>> => scenarios !== undefined && typeof scenarios.load !== 'function'

/** Scenarios that are fixtures, the same at every seed. `empty` is one of them unless another has its name. */
export function fixedScenarios(
  fixtures: Readonly<Record<string, AnyFixture>>,
  resources: readonly string[],
): Scenarios {
  const all: Readonly<Record<string, AnyFixture>> = { empty: { description: 'No records at all.' }, ...fixtures }
  return {
    names: () => Object.keys(all),
    list: () =>
      Object.entries(all).map(([name, fixture]) => ({
        name,
        description: fixture.description ?? '',
        sizes: Object.fromEntries(resources.map((resource) => [resource, entriesIn(fixture, resource).length])),
      })),
    load(name, _seed, sizes) {
      const [resized] = Object.entries(sizes).filter(([, size]) => size !== undefined)
      if (resized === undefined) return all[name] as AnyFixture
      throw invalidOption('sizes', `omitted, because scenario "${name}" has a fixed size`, sizes)
    },
  }
}
