import type { Api } from '../api.js'
import { createArrangePipeline } from '../pipeline.js'
import type { DataApi, ServiceTypes } from '../service.js'
import type { CurrentStore } from '../store/current-store.js'
import type { InstanceControls } from './controls.js'
import type { InstanceDependencies } from './dependencies.js'

/** The `data` of an instance: its calls are requests to the service that no fault applies to and the journal leaves out. */
export function createInstanceData<T extends ServiceTypes>(
  { definition, startingData, parent }: InstanceDependencies<T>,
  service: Api,
  store: CurrentStore<T>,
  { clock, events, controlRecorder }: InstanceControls,
): DataApi<T['data']> {
  const { options } = startingData
  const arrange = createArrangePipeline({ service, options })
  const dataApi = definition.createData({
    options,
    seed: () => store.seed,
    requireReady: () => void store.get(),
    store: () => store.get().collections as never,
    handle(request) {
      store.get()
      const outcome = arrange(request, clock.now())
      // The admin API reads through this, too, and reading does not keep a sandbox alive.
      if (request.method === 'GET') return outcome
      parent?.markUsed()
      if (outcome.response.status < 400) events.emit({ type: 'state', cause: 'data' })
      return outcome
    },
    withId: (collection, id, create) => store.get().collections[collection as keyof T['shape']].withId(id, create),
    atomically: (act) => store.get().atomically(act),
  })
  return { ...dataApi, data: controlRecorder.recordData(dataApi.data) }
}
