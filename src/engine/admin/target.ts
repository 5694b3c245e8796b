import type { Steps } from '../../lib/steps.js'
import type { JournalFilter, JournalPart, Waiting } from '../control/journal.js'
import type { Sandboxes } from '../control/sandboxes.js'
import type { InstanceWithoutRequests } from '../instance/instance.js'
import type { EngineOptions } from '../options.js'
import type { AnyServiceTypes, DataApi } from '../service.js'

/** The instance that an admin request controls, and what it can see of the mock around it. */
export interface AdminTarget {
  readonly instance: InstanceWithoutRequests<AnyServiceTypes>
  readonly options: EngineOptions
  reset(options?: AnyServiceTypes['resetOptions']): void | Promise<void>
  /** Returns a function that exports the data of this moment. */
  exportLater(): () => object
  /** Reads and imports a state in slices. Does nothing when the data was replaced by a later call in the meantime. */
  importState(state: Steps<unknown>): Promise<void>
  /** Resolves when there are enough. The steps read them. */
  journalEntries(filter: JournalFilter, waiting?: Waiting): Promise<Steps<JournalPart>>
  /** The unreported errors, which are dropped. */
  takeErrors(): unknown[]
  readonly data: DataApi<object>
  readonly sandboxes: Pick<Sandboxes<unknown>, 'list' | 'delete'>
  uptimeMs(): number
  /** The names of the services that are connected, itself included. Missing if there is only one. */
  readonly services: (() => readonly string[]) | undefined
}
