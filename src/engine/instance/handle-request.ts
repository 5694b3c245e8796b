import { isOwnAdminPath, isPeek } from '../../http/address.js'
import { limitBody } from '../../http/limits.js'
import type { HandleOptions, Outcome, PlainRequest } from '../../http/messages.js'
import { preferredStatus } from '../../http/prefer.js'
import { andThen, type MaybePromise } from '../../lib/functions.js'
import type { CurrentStore } from '../control/current-store.js'
import type { Api } from '../pipeline/api.js'
import { createPipeline } from '../pipeline/pipeline.js'
import { toPreferredFault } from '../rules/apply-fault.js'
import type { ServiceTypes } from '../service.js'
import type { AdminTarget } from './admin-api.js'
import { type AdminApi, bindAdminApi } from './admin-api.js'
import type { InstanceControls } from './controls.js'
import type { InstanceDependencies } from './dependencies.js'

interface HandlerParts<T extends ServiceTypes> {
  readonly service: Api
  readonly store: CurrentStore<T>
  readonly controls: InstanceControls
  readonly target: AdminTarget
}

/** Handles the requests of one instance, with its faults, overrides and delays, and has the outcome recorded. */
export function createRequestHandler<T extends ServiceTypes>(
  { startingData, unreportedErrors, parent, loadAdmin, withoutServerPath }: InstanceDependencies<T>,
  { service, store, controls, target }: HandlerParts<T>,
) {
  const { clock, enforcesSunset, overrides, upstream, faults, delay, recorder } = controls
  const { options } = startingData
  const bindAdmin = (api: AdminApi) => bindAdminApi(api, target)
  const runPipeline = createPipeline(
    // Only requests to the root can lack a sandbox.
    { service, options: parent === undefined ? options : { ...options, requireSandbox: false } },
    {
      overrides,
      upstream,
      enforcesSunset,
      loadAdmin: () => andThen(loadAdmin(), bindAdmin),
      delay,
      findFault(request, operation, segments) {
        const preferred = preferredStatus(request.headers.prefer)
        if (preferred !== undefined) return toPreferredFault(preferred)
        return faults.find({ operation: operation.id, method: request.method, segments, request })
      },
    },
  )

  /** The code under test may swallow the exception, so it is an unreported error as well. */
  function requireReady(): void {
    try {
      store.get()
    } catch (error) {
      unreportedErrors.add(error)
      throw error
    }
  }

  return (received: PlainRequest, handleOptions?: HandleOptions): MaybePromise<Outcome> => {
    if (!isPeek(received)) parent?.markUsed()
    requireReady()
    const limited = handleOptions?.skipLimits ? received : limitBody(received, startingData.options)
    const request = withoutServerPath(limited)
    const isAdmin = isOwnAdminPath(request.path)
    const at = clock.now()
    const record = recorder.begin(request, isAdmin, at)
    const outcome = runPipeline(request, { at, isAdmin, record }, handleOptions)
    // Without a function for each request.
    if (!(outcome instanceof Promise)) return record.onOutcome(outcome)
    record.onWait()
    return outcome.then((settled) => record.onOutcome(settled))
  }
}
