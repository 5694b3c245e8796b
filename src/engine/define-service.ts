import { once } from '../lib/once.js'
import { hashText } from '../lib/random.js'
import type { CompiledSchemas } from './contract/compiled-functions.js'
import { createContract } from './contract/contract.js'
import type { ErrorShape } from './contract/error-drafts.js'
import { STATUS_BY_CODE } from './contract/errors.js'
import { requireDocument } from './contract/given-document.js'
import type { Validators } from './contract/validators.js'
import { callUserFunction } from './control/unreported-errors.js'
import { createHandlers } from './create-handlers.js'
import { completeScenarios } from './data/complete-scenarios.js'
import { type AnyData, type CreateOwnData, createData } from './data/data.js'
import { documentScenarios } from './data/document-scenarios.js'
import { exportState } from './data/export-state.js'
import { type AnyFixture, type FindBrokenRules, type FixtureFormat, sortForFixtures } from './data/format.js'
import { createLoader } from './data/load.js'
import { type ImpossibleField, isFixtures, type Scenarios, toScenarios } from './data/scenarios.js'
import { loadContract } from './load-contract.js'
import type { AnyNeighbours } from './neighbours.js'
import type { OwnHandlers } from './own-handler.js'
import type { AnyCollections, ResourceAdditions } from './resources/additions.js'
import { describeService } from './resources/describe-service.js'
import type { DocumentTools, Tools } from './resources/handler.js'
import { errorCodesOf } from './resources/messages.js'
import { readResources } from './resources/read-resources.js'
import type { Resource } from './resources/resource.js'
import { findStateless, markStateless } from './resources/stateless.js'
import { toCollectionModel } from './resources/to-service-resource.js'
import type { ValueMaker } from './resources/value-maker.js'
import type { AnyServiceTypes, ServedDocument, ServiceDefinition, ServiceTypes } from './service.js'
import { createServiceOptions, type ServiceOptions } from './service-options.js'
import type { StoreModel, StoreShape } from './store/model.js'

/** A service: its OpenAPI document, and what the document cannot say. */
export interface ServiceDescription<T extends ServiceTypes = AnyService> {
  /** What its API is called in messages: `Library API`. Default: the title of the document. */
  readonly title?: string
  readonly document: object
  /** The name of the resource that examples show. Default: the first. */
  readonly mainResource?: string
  /**
   * Compiled from the document before, by `petstore-mock compile`: for a page that forbids `eval`. Without them, they are
   * compiled when they are needed.
   */
  readonly validators?: CompiledSchemas | Validators
  /** Identifies the document in exported states. Default: follows from its content. */
  readonly specHash?: string
  /** The service's own error codes, with their statuses. */
  readonly errors?: Readonly<Record<string, number>>
  /** The body of every error response. Default: as the document declares it. */
  readonly error?: ErrorShape
  /** By name. What is missing here is read from the document alone. */
  readonly resources?: Readonly<Record<string, ResourceAdditions>>
  /** The operations that need code: those with rules, and those that are no CRUD. */
  readonly operations?: OwnHandlers<T>
  /** Finds entries of a fixture that contradict the rules. */
  readonly findBrokenRules?: FindBrokenRules
  /** Functions of `data` that differ from the standard ones. */
  readonly createData?: CreateOwnData
  /**
   * Named starting data: fixtures by name, of which one is `default`, or functions that load and list them. Default: records
   * that are generated from the document.
   */
  readonly scenarios?: Scenarios | Readonly<Record<string, AnyFixture>>
  /**
   * Whether what the records of scenarios lack is generated from the document, and so are the records of resources that the
   * scenarios do not have. Default: false.
   */
  readonly completesScenarios?: boolean
  /** What its rules need and this document lacks, in sentences. The command prints them at the start. */
  readonly warnings?: readonly string[]
  /** The complete document as it is served, if `document` is only a part of it. */
  loadDocument?(): Promise<ServedDocument>
}

/** Everything the engine needs to know about a service, from its description. */
export function defineService<T extends ServiceTypes = AnyService>(
  description: ServiceDescription<T>,
): ServiceDefinition<T> {
  requireDocument(Object(description).document)
  return defineWith(readResources, description)
}

/**
 * The same for a service whose resources were read from its document before: it starts faster, and a bundler can leave what
 * reads documents out of its pages.
 */
export function defineWithResources<T extends ServiceTypes>(
  resources: readonly Resource[],
  description: ServiceDescription<T>,
): ServiceDefinition<T> {
  return defineWith(() => resources, description)
}

function defineWith<T extends ServiceTypes>(
  read: (document: object) => readonly Resource[],
  given: ServiceDescription<T>,
): ServiceDefinition<T> {
  const description = given as unknown as ServiceDescription
  const { document, validators, findBrokenRules } = description
  const isGenerated = validators !== undefined && 'operations' in validators
  const contract = once(() => createContract(document, validators, { error: description.error }))
  const described = once(() => describeService(read(document), description.resources))
  /** Without those whose records another one stores. */
  const resources = once(() =>
    described().filter(({ additions, name, storedIn }) => additions.view || storedIn === name),
  )
  const stored = once(() => resources().filter(({ additions }) => additions.view === undefined))
  const model = once(
    (): StoreModel<StoreShape> =>
      Object.fromEntries(stored().map((resource) => [resource.name, toCollectionModel(resource, described())])),
  )
  const format: FixtureFormat = {
    get resources() {
      return fixtureResources()
    },
    get contract() {
      return contract()
    },
    findBrokenRules,
  }
  const fixtureResources = once(() => sortForFixtures(resources()))
  const names = () => stored().map(({ name }) => name)
  const impossible: ImpossibleField[] = []
  const forGeneration = () => ({
    resources: resources(),
    contract: contract(),
    reportImpossible: (fields: readonly ImpossibleField[]) => impossible.splice(0, impossible.length, ...fields),
  })
  const scenarios = once(() => {
    if (description.scenarios === undefined) return documentScenarios(forGeneration)
    const own = toScenarios(description.scenarios, names)
    return description.completesScenarios ? completeScenarios(own, forGeneration) : own
  })
  const loader = once(() => createLoader(format, model(), scenarios()))
  const options = once(() => createServiceOptions(names(), scenarios()))
  let maker: ValueMaker | undefined
  let documents: DocumentTools | undefined
  const tools: Tools = {
    get documents() {
      return documents
    },
    get maker() {
      return maker
    },
    findViolations: (schema, value) => contract().findSchemaViolations(schema, value),
  }
  const handlers = once(() => createHandlers(description, described(), contract(), tools))

  const stateless = once(() => findStateless(contract(), described(), description.operations))
  const operations = once(() => markStateless(contract().operations(), stateless()))

  /** What only a service without generated validators needs. */
  async function loadTools(): Promise<void> {
    const loaded = await loadContract(contract())
    const operationIds = contract()
      .operations()
      .map(({ operation }) => operation)
    loaded.checkDescription(description, operationIds, described())
    if (isFixtures(description.scenarios)) loaded.checkScenarios(description.scenarios, format)
    maker ??= loaded.createValueMaker()
    documents = loaded
  }
  const specHash = description.specHash ?? hashText(JSON.stringify(document)).toString(16)

  const definition: ServiceDefinition<AnyTypes> = {
    title: description.title ?? titleOf(document),
    get mainResource() {
      return description.mainResource ?? resources()[0]?.name ?? ''
    },
    document,
    get contract() {
      return contract()
    },
    specHash,
    get errorCodes() {
      return { ...STATUS_BY_CODE, ...errorCodesOf(resources()), ...description.errors }
    },
    get resources() {
      return resources()
    },
    get furtherPaths() {
      return described().filter((resource) => !resources().includes(resource))
    },
    get model() {
      return model()
    },
    get handlers() {
      return handlers()
    },
    get stateless() {
      return stateless()
    },
    get operations() {
      return operations()
    },
    get defaultOptions() {
      return options().defaults
    },
    resolveOptions: (given) => options().resolve(given as never),
    describeOptions: (given) => options().describe(given as never),
    withFixtures: (given, fixtures) => options().withFixtures(given as never, fixtures),
    withReset: (given, current, changes) => options().withReset(given as never, current, changes as never),
    loadStartingData(wanted, reportError) {
      const { onProgress } = wanted
      const report =
        onProgress &&
        ((done: number, total: number) => callUserFunction('onProgress', () => onProgress(done, total), reportError))
      const load = () => loader().load({ ...wanted, sizes: options().sizesOf(wanted), onProgress: report })
      return isGenerated || maker ? load() : loadTools().then(load)
    },
    loadScenario(wanted) {
      const { scenario, seed, onProgress } = wanted
      return scenarios().load(scenario, seed, options().sizesOf(wanted), onProgress)
    },
    fixtureFormat: format,
    exportState: (collections) => exportState(format, collections as unknown as AnyCollections, specHash),
    importState: (state, { rules }) => loader().readState(state, rules, specHash),
    createData: (parts) =>
      createData({ resources: resources(), contract: contract(), tools }, parts, description.createData),
    listScenarios: () => scenarios().list(),
    get defaultSizes() {
      return scenarios().defaultSizes ?? {}
    },
    impossibleFields: () => impossible,
    warnings: description.warnings ?? [],
    withValidators: (validators) => defineWith(read, { ...given, validators }) as never,
    loadDocument: description.loadDocument,
  }
  // Only the types say which operations and records it has.
  return definition as unknown as ServiceDefinition<T>
}

function titleOf({ info }: { readonly info?: { readonly title?: string } }): string {
  return info?.title ?? 'API'
}

interface AnyTypes extends ServiceTypes {
  readonly shape: StoreShape
  readonly resolvedOptions: ServiceOptions
}

/** The types of a service about whose operations and records the compiler knows nothing. */
export interface AnyService extends AnyServiceTypes {
  readonly options: MockOptions
  readonly resolvedOptions: ServiceOptions
  readonly resetOptions: MockOptions
  readonly scenario: string
  readonly fixtures: AnyFixture
  readonly state: AnyFixture
  readonly data: AnyData
  readonly services: AnyNeighbours
}

/** The options of a mock of any service. */
export interface MockOptions extends Partial<ServiceOptions> {
  readonly [resource: string]: unknown
}
