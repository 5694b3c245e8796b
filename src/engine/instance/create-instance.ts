import { andThen, type MaybePromise } from '../../lib/and-then.js'
import { type AdminApi, bindAdminApi } from '../admin/api.js'
import type { AdminTarget } from '../admin/target.js'
import type { HandleOptions, Outcome, PlainRequest } from '../contract/messages.js'
import type { SavedParts } from '../control/saved-controls.js'
import type { UnreportedErrors } from '../control/unreported-errors.js'
import { createFetch } from '../fetch/fetch.js'
import { maxBodyBytesFor } from '../limits.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'
import { createCurrentStore } from '../store/current-store.js'
import type { StartingData } from '../store/starting-data.js'
import { createStateTransfer } from '../store/state-transfer.js'
import { createControls } from './controls.js'
import { createInstanceData } from './data.js'
import { describeRun } from './describe-run.js'
import { createRequestHandler } from './handle-request.js'
import type { Instance } from './instance.js'
import { assemblePublicInstance } from './public-instance.js'
import { createReset } from './reset.js'
import { createServiceApi } from './service-api.js'
import { createState } from './state.js'
import { createTestErrors } from './test-errors.js'

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
  const { definition, startingData, unreportedErrors, sandbox, parent, registry } = dependencies
  const { contract, errorCodes } = definition
  const { options } = startingData
  const markUsed = parent?.markUsed ?? (() => {})

  const store = createCurrentStore(startingData)
  const transfer = createStateTransfer(definition, startingData, store)
  const controls = createControls({
    contract,
    errorCodes,
    options,
    unreportedErrors,
    seed: () => store.seed,
    exportLater: transfer.exportLater,
    ...(parent && { recordParentCoverage: parent.recordCoverage }),
  })
  const { clock, events, recorder } = controls
  const errors = createTestErrors({
    unreportedErrors,
    takeForbidden: recorder.takeErrors,
    events,
    failOnUnused: options.failOnUnused,
    collectFromSandboxes: registry?.collectErrors,
  })
  const state = createState({ store, transfer, events, clock })
  const service = createServiceApi(definition, startingData, store)
  const data = createInstanceData({ definition, options, service, store, controls, markUsed })
  const reset = createReset({ store, controls, data, collectErrors: errors.collect })

  const instance = assemblePublicInstance({
    store,
    transfer,
    state,
    controls,
    data,
    errors,
    reset,
    reproduction: () => describeRun({ definition, startingData, store, controls, sandbox }),
  })
  const adminTarget: AdminTarget = {
    instance,
    get options() {
      return startingData.options
    },
    reset,
    importState: state.importInSlices,
    journalEntries: recorder.journalEntries,
    takeErrors: errors.take,
    data,
    sandboxes: dependencies.sandboxes,
    uptimeMs: dependencies.uptimeMs,
  }

  const bindAdmin = (api: AdminApi) => bindAdminApi(api, adminTarget)
  const handle = createRequestHandler({
    service,
    // Only requests to the root can lack a sandbox.
    options: parent === undefined ? options : { ...options, requireSandbox: false },
    controls,
    loadAdmin: () => andThen(dependencies.loadAdmin(), bindAdmin),
    store,
    startingData,
    unreportedErrors,
    markUsed,
  })
  const route = registry?.route ?? handle
  const fetch = createFetch(
    {
      handle: route,
      maxBodyBytes: (path) => maxBodyBytesFor(path, startingData.options),
      reportError: unreportedErrors.add,
    },
    () => startingData.ready,
  )

  const saved: SavedParts = { controls: controls.saved, snapshots: state.savedSnapshots }
  return {
    // Operations and records are those of the service, which the parts above know as text and objects.
    instance: Object.assign(instance, { handle: route, fetch }) as unknown as Instance<T>,
    saved,
    handle,
    reset,
    collectErrors: errors.collect,
    beginReset: store.beginReset,
    recordCoverage: controls.recordCoverage,
    endEvents: events.end,
  }
}
