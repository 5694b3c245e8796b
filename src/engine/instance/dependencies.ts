import type { HandleOptions, Outcome, PlainRequest } from '../../http/messages.js'
import type { MaybePromise } from '../../lib/functions.js'
import type { StartingData } from '../control/starting-data.js'
import type { UnreportedErrors } from '../control/unreported-errors.js'
import type { CreateUpstream } from '../pipeline/create-upstream.js'
import type { ServiceDefinition, ServiceTypes } from '../service.js'
import type { AdminApi, AdminTarget } from './admin-api.js'
import type { Connect } from './neighbours.js'

/** What an instance gets from the mock that it belongs to. */
export interface InstanceDependencies<T extends ServiceTypes> {
  readonly definition: ServiceDefinition<T>
  readonly startingData: StartingData<T>
  readonly unreportedErrors: UnreportedErrors
  readonly connect: Connect | undefined
  loadAdmin(): AdminApi | Promise<AdminApi>
  /** The request without what the path of a server of the document adds to it. */
  withoutServerPath(request: PlainRequest): PlainRequest
  readonly sandboxes: AdminTarget['sandboxes']
  uptimeMs(): number
  /** Missing without an upstream. */
  readonly createUpstream?: CreateUpstream | undefined
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
