import type { Contract, DeclaredOperation } from '../document/contract/contract.js'
import type { Meaning } from '../document/operations/meaning.js'
import type { AnyOperations } from '../document/schema/types.js'
import type { CompiledSchemas } from '../document/validate/compiled-functions.js'
import type { GivenCredentials } from '../document/validate/security.js'
import type { RequestHeaders } from '../http/messages.js'
import type { MaybePromise } from '../lib/functions.js'
import type { Steps } from '../lib/steps.js'
import type { DataApi, DataDependencies, ImportedState } from './data/data-api.js'
import type { AnyFixture, FixtureFormat } from './data/format.js'
import type { ImpossibleField, ScenarioSummary } from './data/scenarios.js'
import type { EngineOptions } from './options.js'
import type { ServiceResource } from './resources/service-resource.js'
import type { StoreModel, StoreShape } from './store/database.js'
import type { BaseStore, Collections } from './store/store.js'

/** The types that differ from one service to another. */
export interface ServiceTypes {
  /** By operationId, as openapi-typescript generates them. */
  readonly operations: object
  readonly shape: StoreShape
  /** The options of a mock, and the same with defaults applied. */
  readonly options: object
  readonly resolvedOptions: EngineOptions
  /** What `reset` can choose: other starting data. */
  readonly resetOptions: object
  readonly scenario: string
  readonly fixtures: object
  readonly state: object
  /** What arranges and reads data without HTTP. */
  readonly data: object
  /** What its handlers have of the services beside it, by name. */
  readonly services: object
}

/** Any service, where its types do not matter. */
export interface AnyServiceTypes extends ServiceTypes {
  readonly operations: AnyOperations
}

/** All that the engine knows about the service it stands in for. */
export interface ServiceDefinition<T extends ServiceTypes> {
  /** What its API is called in messages: `Library API`. */
  readonly title: string
  /** The name of the resource that examples show. */
  readonly mainResource: string
  /** The OpenAPI document, or the part of it that the contract works with. */
  readonly document: object
  readonly contract: Contract
  /** Identifies the OpenAPI document. */
  readonly specHash: string
  /** The HTTP status of every error code, for fault rules that name a code. */
  readonly errorCodes: Readonly<Record<string, number>>
  readonly resources: readonly ServiceResource[]
  /** Further paths to the records of other resources. */
  readonly furtherPaths: readonly ServiceResource[]
  readonly model: StoreModel<T['shape']>
  /** By operationId. Typed by the service; the contract has checked the request when one is called. */
  readonly handlers: object
  /** What the operations mean that belong to no resource, as far as it is known. */
  readonly meanings: readonly Meaning[]
  /** The operations without state, by operationId: they are answered from the document alone. */
  readonly stateless: ReadonlySet<string>
  /** What operations were understood as, by operationId. */
  readonly kinds: ReadonlyMap<string, string>
  /** The operations with a handler of the service's own, by operationId. */
  readonly own: ReadonlySet<string>
  /** What the document says about the operations, and which of them have no state. */
  readonly operations: readonly DeclaredOperation[]
  readonly defaultOptions: T['resolvedOptions']
  /** Throws a MockError when an option is unknown or invalid. */
  resolveOptions(options: T['options']): T['resolvedOptions']
  /** The given options as JSON: those that decide about the starting data, and the others. Fixtures are left out. */
  describeOptions(options: T['options']): { readonly data: object; readonly others: object }
  /** The options after `load(fixtures)`. */
  withFixtures(options: T['options'], fixtures: T['fixtures'] | string): T['resolvedOptions']
  /**
   * The options after `reset(changes)`. `given` are the user's own, `current` those of the mock. Throws a MockError when one
   * is unknown or invalid.
   */
  withReset(given: T['options'], current: T['resolvedOptions'], changes: T['resetOptions']): T['resolvedOptions']
  /** Returns a promise when the data has to be generated first. Errors of the user's callbacks are reported. */
  loadStartingData(
    options: T['resolvedOptions'],
    reportError: (error: Error) => void,
  ): Steps<BaseStore<T['shape']>> | Promise<Steps<BaseStore<T['shape']>>>
  /** The data of a scenario, without the user's fixtures. */
  loadScenario(options: T['resolvedOptions']): MaybePromise<AnyFixture>
  /** What its fixtures consist of. */
  readonly fixtureFormat: FixtureFormat
  exportState(collections: Collections<T['shape']>): T['state']
  /** The user with these credentials; missing if the service does not say who that is. */
  readonly authenticate:
    | ((credentials: GivenCredentials, collections: Collections<T['shape']>) => object | undefined)
    | undefined
  /** Whether a record has the id that a parameter has, in a path of the document. */
  hasRecord(collections: Collections<T['shape']>, path: string, parameter: string, value: unknown): boolean
  /** Why the token in the headers of a request is not valid, if the mock made it. */
  findTokenProblem(collections: Collections<T['shape']>, headers: RequestHeaders, at: number): string | undefined
  /** Throws a MockError when the state is invalid. */
  importState(state: unknown, options: T['resolvedOptions']): Steps<ImportedState<T['shape']>>
  createData(dependencies: DataDependencies<T['resolvedOptions']>): DataApi<T['data']>
  listScenarios(): readonly ScenarioSummary[]
  /** The resources whose number of records can be chosen, each with what it is by default, in words. */
  readonly defaultSizes: Readonly<Record<string, string>>
  /** What the records that were generated last cannot have: those resources have no records. */
  impossibleFields(): readonly ImpossibleField[]
  /** The same service with validators that were compiled before, by `petstore-mock compile`. */
  withValidators(validators: CompiledSchemas): ServiceDefinition<T>
  /** The complete document, if `document` is only a part of it. */
  loadDocument?: (() => Promise<ServedDocument>) | undefined
}

/** A complete OpenAPI document, as it is served. */
export interface ServedDocument {
  readonly document: object
  /** Default: made from the document when it is first asked for. */
  readonly yaml?: string
}
