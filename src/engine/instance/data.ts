import { type Api, createArrangePipeline } from '../pipeline.js'
import type { DataApi, ServiceDefinition, ServiceTypes } from '../service.js'
import type { CurrentStore } from '../store/current-store.js'
import type { InstanceControls } from './controls.js'

interface InstanceDataDependencies<T extends ServiceTypes> {
  readonly definition: ServiceDefinition<T>
  readonly options: T['resolvedOptions']
  readonly service: Api
  readonly store: CurrentStore<T>
  readonly controls: Pick<InstanceControls, 'clock' | 'events' | 'controlRecorder'>
  /** Keeps a sandbox from being removed as idle. */
  markUsed(): void
}

/** The `data` of an instance: its calls are requests to the service that no fault applies to and the journal leaves out. */
export function createInstanceData<T extends ServiceTypes>(
  dependencies: InstanceDataDependencies<T>,
): DataApi<T['data']> {
  const { definition, options, service, store, controls, markUsed } = dependencies
  const { clock, events, controlRecorder } = controls
  const arrange = createArrangePipeline({ service, options })
  const dataApi = definition.createData({
    options,
    seed: () => store.seed,
    requireReady: () => void store.get(),
    handle(request) {
      store.get()
      const outcome = arrange(request, clock.now())
      // The admin API reads through this, too, and looking is not a use.
      if (request.method === 'GET') return outcome
      markUsed()
      if (outcome.response.status < 400) events.emit({ type: 'state', cause: 'data' })
      return outcome
    },
    withId: (collection, id, create) => store.get().collections[collection as keyof T['shape']].withId(id, create),
    atomically: (act) => store.get().atomically(act),
  })
  return { ...dataApi, data: controlRecorder.recordData(dataApi.data) }
}
