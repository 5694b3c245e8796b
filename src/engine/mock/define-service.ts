import { createContract } from '../../document/contract/contract.js'
import type { ErrorShape } from '../../document/contract/error-drafts.js'
import { requireBounded } from '../../document/load/bounds.js'
import type { Meaning } from '../../document/operations/meaning.js'
import { readMeanings } from '../../document/operations/read-meanings.js'
import { readResources } from '../../document/resources/read-resources.js'
import type { Resource } from '../../document/resources/resource.js'
import { requireDocument } from '../../document/schema/given-document.js'
import type { CompiledSchemas } from '../../document/validate/compiled-functions.js'
import type { Validators } from '../../document/validate/validators.js'
import { STATUS_BY_CODE } from '../../http/errors.js'
import { once } from '../../lib/functions.js'
import { hashText } from '../../lib/random.js'
import { callUserFunction } from '../control/unreported-errors.js'
import { hasRecord } from '../crud/find.js'
import type { DocumentTools, Tools } from '../crud/handler.js'
import { findKinds, findStateless, markOperations } from '../crud/handlers.js'
import type { ValueMaker } from '../crud/make-values.js'
import { errorCodesOf } from '../crud/messages.js'
import { type AnyData, type CreateOwnData, createData } from '../data/data.js'
import { exportState } from '../data/export-state.js'
import { type AnyFixture, type FindBrokenRules, type FixtureFormat, sortForFixtures } from '../data/format.js'
import { createLoader } from '../data/load.js'
import { type ImpossibleField, isFixtures, type Scenarios, toScenarios } from '../data/scenarios.js'
import type { AnyNeighbours } from '../instance/neighbours.js'
import { type Actions, correctMeanings } from '../operations/correct.js'
import { createMemoryModels } from '../operations/memory.js'
import type { AnyCollections, ResourceAdditions, StateTable } from '../resources/additions.js'
import { correctResources } from '../resources/correct.js'
import { describeService } from '../resources/describe-service.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { toCollectionModel } from '../resources/to-service-resource.js'
import type { Words } from '../resources/words.js'
import type { AnyServiceTypes, ServedDocument, ServiceDefinition, ServiceTypes } from '../service.js'
import type { StoreModel, StoreShape } from '../store/database.js'
import { type Authenticate, bindAuthenticate, createHandlers } from './create-handlers.js'
import { documentScenarios } from './document-scenarios.js'
import { loadContract } from './load-contract.js'
import type { OwnHandlers } from './own-handler.js'
import { createServiceOptions, type ServiceOptions } from './service-options.js'

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
  /** By name. What is missing here is read from the document alone; `false` says that it is no collection. */
  readonly resources?: Readonly<Record<string, ResourceAdditions | false>>
  /** By the name of a resource and of a state, the states that may follow. Any other change of the state is a conflict. */
  readonly states?: Readonly<Record<string, StateTable>>
  /**
   * Finds the user with the credentials of a request, for every operation that has security: `user` of the handlers, and of
   * `references: { authorId: 'user' }`. Credentials without a user are a 401.
   */
  readonly authenticate?: Authenticate
  /** What operations do to the record that their path names, by operationId; `false` for what keeps no state. */
  readonly actions?: Actions
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
  /** The complete document as it is served, if `document` is only a part of it. */
  loadDocument?(): Promise<ServedDocument>
}

/** Everything the engine needs to know about a service, from its description. */
export function defineService<T extends ServiceTypes = AnyService>(
  description: ServiceDescription<T>,
): ServiceDefinition<T> {
  const { document } = Object(description)
  requireDocument(document)
  requireBounded(document)
  const resources = (words: Words) => correctResources(readResources(document), words)
  const meanings = (actions: Actions, all: readonly ServiceResource[]) =>
    correctMeanings(document, readMeanings(document, all), actions, all)
  return defineWith({ resources, meanings }, description)
}

/**
 * The same for a service whose resources were read from its document before: it starts faster, and a bundler can leave what
 * reads documents out of its pages.
 */
export function defineWithResources<T extends ServiceTypes>(
  resources: readonly Resource[],
  description: ServiceDescription<T>,
): ServiceDefinition<T> {
  return defineWith({ resources: () => resources, meanings: () => [] }, description)
}

/** What a service says about its resources. */
function toWords({ resources = {}, states = {} }: Pick<ServiceDescription, 'resources' | 'states'>): Words {
  const guarded = Object.entries(states).map(([name, table]) => [name, { ...(resources[name] || {}), states: table }])
  return { ...resources, ...Object.fromEntries(guarded) }
}

/** What is read from a document. */
interface Read {
  resources(words: Words): readonly Resource[]
  meanings(actions: Actions, resources: readonly ServiceResource[]): readonly Meaning[]
}

function defineWith<T extends ServiceTypes>(read: Read, given: ServiceDescription<T>): ServiceDefinition<T> {
  const description = given as ServiceDescription
  const { document, validators, findBrokenRules } = description
  const words = toWords(description)
  const isGenerated = validators !== undefined && 'operations' in validators
  const contract = once(() => createContract(document, validators, { error: description.error }))
  const described = once(() => describeService(read.resources(words), words))
  const meanings = once(() => read.meanings(description.actions ?? {}, described()))
  /** Without those whose records another one stores. */
  const resources = once(() =>
    described().filter(({ additions, name, storedIn }) => additions.view || storedIn === name),
  )
  const stored = once(() => resources().filter(({ additions }) => additions.view === undefined))
  const model = once(
    (): StoreModel<StoreShape> =>
      Object.fromEntries([
        ...stored().map((resource) => [resource.name, toCollectionModel(resource, described())] as const),
        ...(isGenerated ? [] : Object.entries(createMemoryModels())),
      ]),
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
    resources: described(),
    contract: contract(),
    reportImpossible: (fields: readonly ImpossibleField[]) => impossible.splice(0, impossible.length, ...fields),
  })
  const scenarios = once(() => {
    if (description.scenarios === undefined) return documentScenarios(forGeneration)
    return toScenarios(description.scenarios, names)
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
  const handlers = once(() => createHandlers(description, described(), meanings(), contract(), tools))

  const own = once(
    () => new Set(Object.entries(description.operations ?? {}).flatMap(([id, each]) => (each ? [id] : []))),
  )
  const stateless = once(() => findStateless(contract(), described(), meanings(), description.operations))
  /** The built-in service needs no words for what it does. */
  const kinds = once(() => (isGenerated ? new Map() : findKinds(described(), meanings(), description.operations)))
  const operations = once(() => markOperations(contract().operations(), stateless(), kinds()))

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
      const own = new Set(resources())
      return described().filter((resource) => !own.has(resource))
    },
    get model() {
      return model()
    },
    get handlers() {
      return handlers()
    },
    get meanings() {
      return meanings()
    },
    get stateless() {
      return stateless()
    },
    get kinds() {
      return kinds()
    },
    get own() {
      return own()
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
    findTokenProblem: (collections, headers, at) =>
      documents?.findTokenProblem(described(), { store: collections as unknown as AnyCollections, headers }, at),
    authenticate: description.authenticate && bindAuthenticate(description.authenticate),
    hasRecord: (collections, path, parameter, value) =>
      hasRecord(described(), collections as unknown as AnyCollections, path, parameter, value),
    importState: (state, { rules }) => loader().readState(state, rules, specHash),
    createData: (parts) =>
      createData(
        { resources: resources(), all: described, contract: contract(), tools },
        parts,
        description.createData,
      ),
    listScenarios: () => scenarios().list(),
    get defaultSizes() {
      return scenarios().defaultSizes ?? {}
    },
    impossibleFields: () => impossible,
    withValidators: (validators) => defineWith(read, { ...given, validators }) as never,
    loadDocument: description.loadDocument,
  }
  // Only the types say which operations and records it has.
  return definition as ServiceDefinition<T>
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
