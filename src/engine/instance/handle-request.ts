import { andThen, type MaybePromise } from '../../lib/and-then.js'
import { isOwnAdminPath, isPeek } from '../address.js'
import type { HandleOptions, Outcome, PlainRequest } from '../contract/messages.js'
import { preferredStatus, toPreferredFault } from '../control/prefer.js'
import type { UnreportedErrors } from '../control/unreported-errors.js'
import { type Limits, limitBody } from '../limits.js'
import type { EngineOptions } from '../options.js'
import { type Api, createPipeline } from '../pipeline.js'
import type { InstanceControls } from './controls.js'

interface HandlerDependencies {
  readonly service: Api
  readonly options: EngineOptions
  readonly controls: Pick<InstanceControls, 'clock' | 'overrides' | 'faults' | 'drawDelay' | 'recorder'>
  loadAdmin(): MaybePromise<Api>
  /** Throws while there is no data. */
  readonly store: { get(): unknown }
  /** Its options change when other fixtures are loaded. */
  readonly startingData: { readonly options: Readonly<Limits> }
  readonly unreportedErrors: UnreportedErrors
  /** Keeps a sandbox from being removed as idle. */
  markUsed(): void
}

/** Handles the requests of one instance, with its faults, overrides and delays, and has the outcome recorded. */
export function createRequestHandler(dependencies: HandlerDependencies) {
  const { service, options, controls, loadAdmin, store, startingData, unreportedErrors, markUsed } = dependencies
  const { clock, overrides, faults, drawDelay, recorder } = controls
  const runPipeline = createPipeline(
    { service, options },
    {
      overrides,
      loadAdmin,
      delay: drawDelay,
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
    if (!isPeek(received)) markUsed()
    requireReady()
    const request = handleOptions?.skipLimits ? received : limitBody(received, startingData.options)
    const isAdmin = isOwnAdminPath(request.path)
    const at = clock.now()
    const record = recorder.begin(request, isAdmin, at)
    return andThen(runPipeline(request, { at, isAdmin }, handleOptions), (outcome) => {
      record(outcome)
      return outcome
    })
  }
}
