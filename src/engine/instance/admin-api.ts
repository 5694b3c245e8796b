import type { Operation } from '../../document/contract/operation.js'
import type { BodyLimits } from '../../http/body.js'
import { DEFAULT_LIMITS, MAX_ADMIN_BODY_BYTES, NO_LIMITS } from '../../http/limits.js'
import type { PlainRequest } from '../../http/messages.js'
import type { Steps } from '../../lib/steps.js'
import type { Sandboxes } from '../control/sandboxes.js'
import type { DataApi } from '../data/data-api.js'
import type { JournalFilter, JournalPart, Waiting } from '../log/journal.js'
import type { EngineOptions } from '../options.js'
import type { Api } from '../pipeline/api.js'
import type { AnyServiceTypes } from '../service.js'
import type { InstanceWithoutRequests } from './instance.js'

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

/** The admin API of a service: the same for all instances. */
export interface AdminApi extends Pick<Api, 'contract' | 'handlers' | 'suggestPath'> {
  readStateBody(operation: Operation, request: PlainRequest, limits: BodyLimits): Steps<unknown>
}

export function bindAdminApi({ contract, handlers, suggestPath, readStateBody }: AdminApi, target: AdminTarget): Api {
  return {
    contract,
    handlers,
    suggestPath,
    toContext: ({ path, query, body, handleOptions }) => ({ target, path, query, body, handleOptions }),
    parseBody(operation, request, handleOptions) {
      const limits = handleOptions?.skipLimits ? NO_LIMITS : ADMIN_LIMITS
      if (operation.id !== 'replaceState') return contract.parseBody(operation, request, limits)
      // Everything that can be exported can be imported, so the number of values is not limited. The handler runs the steps.
      const maxBodyBytes = limits === NO_LIMITS ? limits.maxBodyBytes : target.options.maxStateBytes
      return readStateBody(operation, request, { ...limits, maxBodyBytes })
    },
  }
}

/** As for the address, the user's limits do not apply. */
const ADMIN_LIMITS: BodyLimits = {
  maxBodyBytes: MAX_ADMIN_BODY_BYTES,
  maxJsonDepth: DEFAULT_LIMITS.maxJsonDepth,
  maxJsonValues: DEFAULT_LIMITS.maxJsonValues,
}
