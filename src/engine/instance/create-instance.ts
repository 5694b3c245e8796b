import type { AdminTarget } from '../admin/target.js'
import { createFetch } from '../fetch/fetch.js'
import { maxBodyBytesFor } from '../limits.js'
import type { ServiceTypes } from '../service.js'
import { createCurrentStore } from '../store/current-store.js'
import { createStateTransfer } from '../store/state-transfer.js'
import { createControls } from './controls.js'
import { createInstanceData } from './data.js'
import type { InstanceDependencies } from './dependencies.js'
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

export function createInstance<T extends ServiceTypes>(dependencies: InstanceDependencies<T>) {
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

  /** For an adapter that keeps the state across reloads. */
  const saved = {
    controls: controls.saved,
    snapshots: state.keptSnapshots,
    startingBase: () => startingData.get().base,
    store,
    transfer,
  }
  return {
    // The parts above do not know the service's types: this cast adds its operations and records.
    instance: Object.assign(instance, { handle: route, fetch }) as unknown as Instance<T>,
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
