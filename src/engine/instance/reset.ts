import type { DataApi, ServiceTypes } from '../service.js'
import type { CurrentStore } from '../store/current-store.js'
import type { InstanceControls } from './controls.js'
import type { TestErrors } from './test-errors.js'

/** Resets the data of an instance and everything that a test has set. With options, to other starting data. */
export function createReset<T extends ServiceTypes>(
  store: CurrentStore<T>,
  controls: InstanceControls,
  data: DataApi<T['data']>,
  errors: TestErrors,
) {
  function finishReset(): void {
    // The errors so far belong to the test that is ending: `check` throws them, even after the reset.
    errors.collect()
    controls.reset()
    data.reset()
    controls.events.emit({ type: 'reset', seed: store.seed, scenario: store.scenario })
  }

  function reset(): void
  function reset(options: T['resetOptions']): Promise<void>
  function reset(options?: T['resetOptions']): void | Promise<void>
  function reset(options?: T['resetOptions']): void | Promise<void> {
    if (options !== undefined) {
      return store.resetTo(options).then((isLatest) => (isLatest ? finishReset() : undefined))
    }
    store.reset()
    finishReset()
  }

  return reset
}
