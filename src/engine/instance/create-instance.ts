import { andThen, type MaybePromise } from '../../lib/and-then.js'
import { systemTime } from '../../lib/clock.js'
import { createRandom } from '../../lib/random.js'
import { isOwnAdminPath, isPeek } from '../address.js'
import { type AdminApi, bindAdminApi } from '../admin/api.js'
import type { AdminTarget } from '../admin/target.js'
import type { HandleOptions, Outcome, PlainRequest } from '../contract/messages.js'
import { createClock } from '../control/clock.js'
import { createCoverage } from '../control/coverage.js'
import { createEvents, type Events } from '../control/events.js'
import { createFaults, drawSpan, type Faults } from '../control/faults.js'
import type { Journal } from '../control/journal.js'
import type { LifecycleWarning } from '../control/lifecycle-warnings.js'
import type { OverrideList, OverrideOptions } from '../control/override.js'
import { createOverrides } from '../control/overrides.js'
import { preferredStatus, toPreferredFault } from '../control/prefer.js'
import { createRecorder } from '../control/recorder.js'
import { createSavedControls, createSavedSnapshots, type SavedParts } from '../control/saved-controls.js'
import { createSnapshots } from '../control/snapshots.js'
import { throwErrors, type UnreportedErrors } from '../control/unreported-errors.js'
import { createUnusedRules } from '../control/unused-rules.js'
import { createFetch } from '../fetch/fetch.js'
import { limitBody, maxBodyBytesFor } from '../limits.js'
import { type Api, createArrangePipeline, createPipeline } from '../pipeline.js'
import { describeStart } from '../reproduction/describe-start.js'
import { createControlRecorder } from '../reproduction/record-controls.js'
import { createRecording } from '../reproduction/recording.js'
import { type Reproduction, toReproduction } from '../reproduction/reproduction.js'
import type { DataDependencies, ServiceDefinition, ServiceTypes } from '../service.js'
import { createCurrentStore, type Snapshot } from '../store/current-store.js'
import type { ResetOptions, StartingData } from '../store/starting-data.js'
import { createStateTransfer } from '../store/state-transfer.js'
import type { Instance, OperationIdOf } from './instance.js'

/** An instance, with what the engine and the adapters need besides its public interface. */
export type ManagedInstance<T extends ServiceTypes> = ReturnType<typeof createInstance<T>>

interface InstanceDependencies<T extends ServiceTypes> {
  readonly definition: ServiceDefinition<T>
  readonly startingData: StartingData<T>
  readonly unreportedErrors: UnreportedErrors
  loadAdmin(): AdminApi | Promise<AdminApi>
  readonly sandboxes: AdminTarget['sandboxes']
  uptimeMs(): number
  /** The name of the sandbox; missing for the root. */
  readonly sandbox?: string
  /** Called by a sandbox; the root has no parent. */
  readonly parent?: {
    recordCoverage(operation: string, status: number): void
    /** Keeps the sandbox from being removed as idle. */
    markUsed(): void
  }
  /** Given to the root, whose requests and errors may be those of a sandbox. */
  readonly registry?: {
    /** Passes a request on to the instance it is for. */
    route(request: PlainRequest, options: HandleOptions | undefined): MaybePromise<Outcome>
    /** Collects the errors of all sandboxes. */
    collectErrors(): void
  }
}

export function createInstance<T extends ServiceTypes>(dependencies: InstanceDependencies<T>) {
  const { definition, startingData, unreportedErrors, parent, registry } = dependencies
  const { contract } = definition
  const { options } = startingData
  const managedClock = createClock(systemTime)
  const { clock } = managedClock
  const current = createCurrentStore(startingData)
  const transfer = createStateTransfer(definition, startingData, current)
  const recording = createRecording(options)
  const controlRecorder = createControlRecorder(
    (control) => recording.addControl(control, clock.now()),
    transfer.exportLater,
  )
  const events = createEvents(unreportedErrors.add, controlRecorder.onEvent)
  const overrides = createOverrides({ contract, clock, events })
  const seed = () => current.seed
  const coverage = createCoverage(contract.operations())
  const faults = createFaults({ seed, contract, errorCodes: definition.errorCodes, clock, events })
  const recorder = createRecorder({
    ...{ contract, options, clock, events, recording, unreportedErrors, recordCoverage },
    isSandbox: parent !== undefined,
  })
  const unusedRules = options.failOnUnused ? createUnusedRules(events) : undefined
  let delays = createRandom(seed(), 'delay')

  /** Adds errors known only at the end of a test: forbidden operations and unused rules. */
  function collectErrors(): void {
    for (const error of [...recorder.takeErrors(), ...(unusedRules?.takeErrors() ?? [])])
      unreportedErrors.addLate(error)
  }

  function takeErrors(): unknown[] {
    registry?.collectErrors()
    collectErrors()
    return unreportedErrors.takeAll()
  }

  function recordCoverage(operation: string, status: number): void {
    coverage.record(operation, status)
    parent?.recordCoverage(operation, status)
  }

  const service: Api = {
    contract,
    handlers: definition.handlers,
    // Member by member: spreading costs more than most operations.
    toContext: ({ path, query, body, at, base }) => ({
      store: current.get().collections,
      options: startingData.options,
      path,
      query,
      body,
      at,
      base,
    }),
    parseBody: (operation, request) => contract.parseBody(operation, request, startingData.options),
  }
  const bindAdmin = (api: AdminApi) => bindAdminApi(api, adminTarget as unknown as AdminTarget)
  const runPipeline = createPipeline(
    // Only requests to the root can lack a sandbox.
    { service, options: parent === undefined ? options : { ...options, requireSandbox: false } },
    {
      overrides,
      loadAdmin: () => andThen(dependencies.loadAdmin(), bindAdmin),
      delay: () => drawSpan(options.delay, delays),
      findFault(request, operation, segments) {
        const preferred = preferredStatus(request.headers.prefer)
        if (preferred !== undefined) return toPreferredFault(preferred)
        return faults.find({ operation: operation.id, method: request.method, segments, request })
      },
    },
  )

  function handle(received: PlainRequest, handleOptions?: HandleOptions): MaybePromise<Outcome> {
    if (!isPeek(received)) parent?.markUsed()
    requireReady()
    const request = handleOptions?.skipLimits ? received : limitBody(received, startingData.options)
    const isAdmin = isOwnAdminPath(request.path)
    const at = clock.now()
    const record = recorder.begin(request, isAdmin, at)
    return andThen(runPipeline(request, { at, isAdmin }, handleOptions), (outcome) => {
      record(outcome)
      return outcome
    })
  }

  /** The code under test may swallow the exception, so it is an unreported error as well. */
  function requireReady(): void {
    try {
      current.get()
    } catch (error) {
      unreportedErrors.add(error)
      throw error
    }
  }

  function reset(resetOptions?: ResetOptions<T['scenario']>): void | Promise<void> {
    if (resetOptions !== undefined) {
      return current.resetTo(resetOptions).then((isLatest) => (isLatest ? resetControls() : undefined))
    }
    current.reset()
    resetControls()
  }

  function resetControls(): void {
    // They belong to the test that ends now. `check` throws them, even after the reset.
    collectErrors()
    clock.reset()
    dataApi.reset()
    faults.reset()
    delays = createRandom(seed(), 'delay')
    overrides.reset()
    recorder.reset()
    events.emit({ type: 'reset', seed: current.seed, scenario: current.scenario })
  }

  function restore(snapshot: Snapshot): void {
    current.restore(snapshot)
    events.emit({ type: 'state', cause: 'restore' })
  }

  const snapshots = createSnapshots({ take: current.snapshot, sizes: () => current.get().sizes(), restore, clock })

  const arrange = createArrangePipeline({ service, options })
  const dataDependencies: DataDependencies<T['resolvedOptions']> = {
    options,
    seed,
    requireReady: () => void current.get(),
    handle(request) {
      current.get()
      const outcome = arrange(request, clock.now())
      // The admin API reads through this, too, and looking is not a use.
      if (request.method === 'GET') return outcome
      parent?.markUsed()
      if (outcome.response.status < 400) events.emit({ type: 'state', cause: 'data' })
      return outcome
    },
    withId: (collection, id, create) => current.get().collections[collection as keyof T['shape']].withId(id, create),
    atomically: (act) => current.get().atomically(act),
  }
  const dataApi = definition.createData(dataDependencies)
  const data = controlRecorder.recordData(dataApi.data)

  function reproduction(): Reproduction {
    return toReproduction({
      specHash: definition.specHash,
      sandbox: dependencies.sandbox,
      ...describeStart(definition, startingData, current.start()),
      missing: recording.missing,
      steps: recording.steps(),
      end: { clock: clock.state(), faults: faults.faults.list(), overrides: overrides.list.list() },
    })
  }

  const route = registry?.route ?? handle
  const instance: Instance<T> = {
    fetch: createFetch(
      {
        handle: route,
        maxBodyBytes: (path) => maxBodyBytesFor(path, startingData.options),
        reportError: unreportedErrors.add,
      },
      () => startingData.ready,
    ),
    handle: route,
    data,
    get startingData() {
      return { seed: current.seed, scenario: current.scenario, fixtures: current.fixtures }
    },
    clock: controlRecorder.recordClock(clock),
    journal: recorder.journal as unknown as Journal<T['operations']>,
    faults: controlRecorder.recordFaults(faults.faults) as Faults<OperationIdOf<T>>,
    snapshots: snapshots.snapshots,
    events: { subscribe: events.subscribe as Events<OperationIdOf<T>>['subscribe'] },
    get lifecycleWarnings() {
      return recorder.lifecycleWarnings() as LifecycleWarning<OperationIdOf<T>>[]
    },
    coverage: coverage.report,
    override: (operation: string, override: unknown, overrideOptions?: OverrideOptions) =>
      overrides.add(operation, override, overrideOptions) as never,
    overrides: overrides.list as OverrideList<OperationIdOf<T>>,
    snapshot: current.snapshot,
    restore,
    reproduction,
    exportState: transfer.exportNow,
    importState(state) {
      transfer.importNow(state ?? null)
      events.emit({ type: 'state', cause: 'import' })
    },
    reset: reset as Instance<T>['reset'],
    check: () => throwErrors(takeErrors()),
  }
  const adminTarget: AdminTarget<T> = {
    instance,
    reset,
    async importState(state) {
      const isLatest = await transfer.importInSlices(state)
      if (isLatest) events.emit({ type: 'state', cause: 'import' })
    },
    journalEntries: recorder.journalEntries,
    takeErrors,
    data: { ...dataApi, data },
    get options() {
      return startingData.options
    },
    sandboxes: dependencies.sandboxes,
    uptimeMs: dependencies.uptimeMs,
  }
  const saved: SavedParts = {
    controls: createSavedControls({ clock: managedClock, faults, overrides }),
    snapshots: createSavedSnapshots(snapshots, { toState: transfer.fromSnapshot, toSnapshot: transfer.toSnapshot }),
  }
  return {
    instance,
    saved,
    handle,
    reset,
    collectErrors,
    beginReset: current.beginReset,
    recordCoverage,
    endEvents: events.end,
  }
}
