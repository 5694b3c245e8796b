import type { Sandboxes } from '../control/sandboxes.js'
import type { Instance } from '../instance.js'
import type { EngineOptions } from '../options.js'
import type { AnyServiceTypes, ServiceTypes } from '../service.js'
import type { ResetOptions } from '../store/starting-data.js'

/** The instance that an admin request controls, and what it can see of the mock around it. */
export interface AdminTarget<T extends ServiceTypes = AnyServiceTypes> {
  readonly instance: Instance<T>
  readonly options: EngineOptions
  /** Without `check`: unreported errors are for the test, not for an HTTP client. */
  reset(options?: ResetOptions<T['scenario']>): void | Promise<void>
  readonly sandboxes: Pick<Sandboxes<unknown>, 'list' | 'delete'>
  uptimeMs(): number
}
