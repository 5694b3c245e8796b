import { maxBodyBytesFor } from '../../http/limits.js'
import type { HandleOptions, Outcome, PlainRequest } from '../../http/messages.js'
import type { MaybePromise, Turn } from '../../lib/functions.js'
import type { CurrentStore } from '../control/current-store.js'
import { createCurrentStore } from '../control/current-store.js'
import type { StartingData, StartingPoint } from '../control/starting-data.js'
import type { StateTransfer } from '../control/state-transfer.js'
import { createStateTransfer } from '../control/state-transfer.js'
import type { DataApi } from '../data/data-api.js'
import { createFetch } from '../fetch/fetch.js'
import type { MockEvent } from '../log/events.js'
import { type Reproduction, toReproduction } from '../log/reproduction.js'
import type { Api } from '../pipeline/api.js'
import { createArrangePipeline } from '../pipeline/pipeline.js'
import type { Savable, SavedControls } from '../rules/saved-controls.js'
import type { AnyServiceTypes, ServiceDefinition, ServiceTypes } from '../service.js'
import { atomically, currentChanges } from '../store/atomically.js'
import type { BaseStore } from '../store/store.js'
import { createStore } from '../store/store.js'
import type { AdminTarget } from './admin-api.js'
import type { InstanceControls } from './controls.js'
import { createControls } from './controls.js'
import type { InstanceDependencies } from './dependencies.js'
import { createRequestHandler } from './handle-request.js'
import type { Instance, InstanceWithoutRequests } from './instance.js'
import type { InstanceState } from './state.js'
import { createReset, createState } from './state.js'
import type { TestErrors } from './test-errors.js'
import { createTestErrors } from './test-errors.js'

/** The options of an instance, and its starting data: how it was generated, or the data itself. */
function describeStart<T extends ServiceTypes>(
  definition: ServiceDefinition<T>,
  startingData: StartingData<T>,
  { base, seed, scenario }: StartingPoint<T>,
): Pick<Reproduction, 'options' | 'start'> {
  const { data, others } = definition.describeOptions(startingData.given)
  const isGenerated = base === startingData.get().base && !startingData.hasFixtures
  if (isGenerated) return { options: others, start: { ...data, seed, scenario } }
  const state = definition.exportState(createStore(base).collections)
  return { options: others, start: { seed, state } }
}

/** All that happened to an instance since its last reset, and where it started. */
function describeRun<T extends ServiceTypes>(
  { definition, startingData, sandbox }: InstanceDependencies<T>,
  store: CurrentStore<T>,
  { log, clock, faults, overrides }: InstanceControls,
): Reproduction {
  return toReproduction({
    specHash: definition.specHash,
    document: definition.document,
    keys: definition.contract.keyNames,
    sandbox,
    ...describeStart(definition, startingData, store.start()),
    missing: log.missing,
    steps: log.steps(),
    end: { clock: clock.state(), faults: faults.faults.list(), overrides: overrides.list.list() },
  })
}

/** The `data` of an instance. No fault applies to its calls, and the journal leaves them out. */
function createInstanceData<T extends ServiceTypes>(
  { definition, startingData, parent }: InstanceDependencies<T>,
  service: Api,
  store: CurrentStore<T>,
  { clock, events, controlRecorder }: InstanceControls,
): DataApi<T['data']> {
  const { options } = startingData
  const arrange = createArrangePipeline({ service, options })
  const announce = () => events.emit({ type: 'state', cause: 'data' })
  function onChange(): void {
    parent?.markUsed()
    announce()
    currentChanges()?.onUndone(announce)
  }
  const dataApi = definition.createData({
    options,
    seed: () => store.seed,
    requireReady: () => void store.get(),
    store: () => store.get().collections as never,
    now: clock.now,
    onChange,
    handle(request) {
      store.get()
      const outcome = arrange(request, clock.now())
      // The admin API reads through this, too, and reading does not keep a sandbox alive.
      if (request.method === 'GET') return outcome
      if (outcome.response.status < 400) onChange()
      else parent?.markUsed()
      return outcome
    },
    withId: (collection, id, create) => store.get().collections[collection as keyof T['shape']].withId(id, create),
    atomically(act) {
      store.get()
      return atomically(act)
    },
  })
  return { ...dataApi, data: controlRecorder.recordData(dataApi.data) }
}

/** The service as the pipeline calls it, with the data of one instance. */
function createServiceApi<T extends ServiceTypes>(
  { contract, handlers, own, stateless, kinds, hasRecord, findTokenProblem, authenticate }: ServiceDefinition<T>,
  startingData: StartingData<T>,
  store: CurrentStore<T>,
  services: object | undefined,
): Api {
  return {
    contract,
    handlers,
    own,
    stateless,
    kinds,
    isKnown: ({ path }, parameter, value) => hasRecord(store.get().collections, path, parameter, value),
    findTokenProblem: ({ headers }, at) => findTokenProblem(store.get().collections, headers, at),
    authenticate: authenticate && ((credentials) => authenticate(credentials, store.get().collections)),
    // Member by member: spreading costs more than most operations.
    toContext: ({ path, query, headers, protocol, body, at, base, user }) => ({
      store: store.get().collections,
      options: startingData.options,
      path,
      query,
      headers,
      protocol,
      body,
      at,
      base,
      user,
      services,
    }),
    parseBody: (operation, request) => contract.parseBody(operation, request, startingData.options),
  }
}

type PublicInstance = InstanceWithoutRequests<AnyServiceTypes>

interface InstanceParts<T extends ServiceTypes> extends Pick<PublicInstance, 'reset' | 'reproduction'> {
  readonly store: CurrentStore<T>
  readonly transfer: StateTransfer<T>
  readonly state: InstanceState
  readonly controls: InstanceControls
  readonly data: DataApi<T['data']>
  readonly errors: TestErrors
}

/**
 * The parts of an instance under the names that a test uses. What a test does to clock and faults is recorded here for the
 * reproduction; the other changes are recorded through their events, or in data.ts.
 */
function assemblePublicInstance<T extends ServiceTypes>(parts: InstanceParts<T>): PublicInstance {
  const { store, transfer, state, controls, data, errors, reset, reproduction } = parts
  const { clock, recorder, faults, overrides, upstream, events, coverage, controlRecorder } = controls
  return {
    data: data.data,
    get startingData() {
      return { seed: store.seed, scenario: store.scenario, fixtures: store.fixtures }
    },
    clock: controlRecorder.recordClock(clock),
    journal: recorder.journal,
    faults: controlRecorder.recordFaults(faults.faults),
    snapshots: state.snapshots,
    events: { subscribe: events.subscribe },
    get lifecycleWarnings() {
      return recorder.lifecycleWarnings()
    },
    coverage: coverage.report,
    override: overrides.add,
    overrides: overrides.list,
    ...(upstream && { upstream: upstream.control }),
    snapshot: store.snapshot,
    restore: state.restore,
    reproduction,
    exportState: transfer.exportNow,
    importState: (given) => state.importNow(given ?? null),
    reset,
    check: errors.check,
  }
}

/** An instance, with what the engine and the adapters need besides its public interface. */
export interface ManagedInstance<T extends ServiceTypes> {
  readonly instance: Instance<T>
  /** For an adapter that keeps the state across reloads. */
  readonly saved: {
    readonly controls: Savable<SavedControls>
    readonly snapshots: InstanceState['keptSnapshots']
    startingBase(): BaseStore<T['shape']>
    readonly store: CurrentStore<T>
    readonly transfer: StateTransfer<T>
  }
  handle(received: PlainRequest, handleOptions?: HandleOptions): MaybePromise<Outcome>
  readonly reset: Instance<T>['reset']
  collectErrors(): void
  beginReset(): Turn
  recordCoverage(operation: string, status: number): void
  emit(event: MockEvent): void
  endEvents(): void
}

export function createInstance<T extends ServiceTypes>(dependencies: InstanceDependencies<T>): ManagedInstance<T> {
  const { definition, startingData, unreportedErrors, registry, sandboxes, uptimeMs, connect, sandbox } = dependencies
  const store = createCurrentStore(startingData)
  const transfer = createStateTransfer(definition, startingData, store)
  const controls = createControls(dependencies, store, transfer)
  const { events, recorder } = controls
  const errors = createTestErrors(dependencies, controls)
  const state = createState(store, transfer, controls)
  const service = createServiceApi(definition, startingData, store, connect?.(sandbox))
  const data = createInstanceData(dependencies, service, store, controls)
  const reset = createReset(store, controls, data, errors)

  const reproduction = () => describeRun(dependencies, store, controls)
  const instance = assemblePublicInstance({ store, transfer, state, controls, data, errors, reset, reproduction })
  const target: AdminTarget = {
    instance,
    get options() {
      return startingData.options
    },
    reset,
    exportLater: transfer.exportLater,
    importState: state.importInSlices,
    journalEntries: recorder.journalEntries,
    takeErrors: errors.take,
    data,
    sandboxes,
    uptimeMs,
    services: connect?.names,
  }

  const handle = createRequestHandler(dependencies, { service, store, controls, target })
  const route = registry?.route ?? handle
  const fetch = createFetch(
    {
      handle: route,
      maxBodyBytes: (path) => maxBodyBytesFor(path, startingData.options),
      reportError: unreportedErrors.add,
    },
    () => startingData.ready,
  )

  const saved = {
    controls: controls.saved,
    snapshots: state.keptSnapshots,
    startingBase: () => startingData.get().base,
    store,
    transfer,
  }
  return {
    // The parts above do not know the service's types: this cast adds its operations and records.
    instance: Object.assign(instance, { handle: route, fetch }) as Instance<T>,
    saved,
    handle,
    reset,
    collectErrors: errors.collect,
    beginReset: store.beginReset,
    recordCoverage: controls.recordCoverage,
    emit: events.emit,
    endEvents: events.end,
  }
}
