import type { DataApi, ServiceTypes } from '../service.js'
import type { CurrentStore } from '../store/current-store.js'
import type { ResetOptions } from '../store/starting-data.js'
import type { InstanceControls } from './controls.js'

interface ResetDependencies<T extends ServiceTypes> {
  readonly store: CurrentStore<T>
  readonly controls: Pick<InstanceControls, 'reset' | 'events'>
  readonly data: Pick<DataApi<T['data']>, 'reset'>
  /** Keeps the errors of the test that ends now for `check`. */
  collectErrors(): void
}

/** Resets the data of an instance and everything that a test has set. With options, to other starting data. */
export function createReset<T extends ServiceTypes>(dependencies: ResetDependencies<T>) {
  const { store, controls, data, collectErrors } = dependencies

  function resetControls(): void {
    collectErrors()
    controls.reset()
    data.reset()
    controls.events.emit({ type: 'reset', seed: store.seed, scenario: store.scenario })
  }

  function reset(): void
  function reset(options: ResetOptions<T['scenario']>): Promise<void>
  function reset(options?: ResetOptions<T['scenario']>): void | Promise<void>
  function reset(options?: ResetOptions<T['scenario']>): void | Promise<void> {
    if (options !== undefined) {
      return store.resetTo(options).then((isLatest) => (isLatest ? resetControls() : undefined))
    }
    store.reset()
    resetControls()
  }

  return reset
}
