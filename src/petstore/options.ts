import type { OnProgress } from '../engine/data/scenarios.js'
import type { ServiceOptions } from '../engine/mock/service-options.js'
import type { CommonOptions } from '../engine/options.js'
import type { PartialFixture } from './fixtures/format.js'
import type { ScenarioName } from './fixtures/scenarios.js'

export interface PetstoreOptions extends Partial<CommonOptions> {
  /** The name of the starting data. Default: `default`, or `empty` when `fixtures` are given. */
  scenario?: ScenarioName
  /** How many categories of the Pet Store to generate. Only for generated scenarios. Default: the scenario's own number. */
  categories?: number
  /** How many pets of the Pet Store to generate. Only for generated scenarios. Default: the scenario's own number. */
  pets?: number
  /** How many orders of the Pet Store to generate. Only for generated scenarios. Default: as many per pet as the scenario has. */
  orders?: number
  /**
   * Your own starting data: an object, or the text of a JSON or YAML file. Merged over the scenario, when one is named.
   * Default: none.
   */
  fixtures?: PartialFixture | string
  /**
   * `off` stores data as it is given: references are not checked and, in the Pet Store, stock and status do not follow
   * orders. Default: `on`.
   */
  rules?: 'on' | 'off'
  /** Called from time to time while data is generated, with the number of records done and in total. Default: none. */
  onProgress?: (done: number, total: number) => void
}

export interface ResolvedOptions extends ServiceOptions {
  readonly scenario: ScenarioName
  readonly categories: number | undefined
  readonly pets: number | undefined
  readonly orders: number | undefined
  readonly fixtures: PartialFixture | string | undefined
  readonly onProgress: OnProgress | undefined
}

/** Chooses other starting data. A missing field stays as it was at creation. */
export type ResetOptions = Pick<PetstoreOptions, 'seed' | 'scenario' | 'categories' | 'pets' | 'orders' | 'fixtures'>
