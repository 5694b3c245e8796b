import type { Forbiddable } from '../document/contract/operation.js'
import type { OnProgress } from '../engine/data/scenarios.js'
import type { ServiceOptions } from '../engine/mock/service-options.js'
import type { Limits } from '../http/limits.js'
import type { PartialFixture } from './fixtures/format.js'
import type { ScenarioName } from './fixtures/scenarios.js'

export interface PetstoreOptions extends Partial<Limits> {
  /** Makes generated data and random faults repeatable: a whole number of 0 or more. Default: 1. */
  seed?: number
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
  /** `enforce` returns 410 for an operation whose sunset date the mock's clock has passed. Default: `announce`. */
  sunset?: 'announce' | 'enforce'
  /** Rejects query parameters that the OpenAPI document does not declare. Default: false. */
  strict?: boolean
  /** `require` rejects requests without the credentials that the OpenAPI document requires. The Pet Store requires none. Default: `ignore`. */
  security?: 'ignore' | 'require'
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
