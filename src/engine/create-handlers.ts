import type { MaybePromise } from '../lib/and-then.js'
import { describeValue, isError, placeIn } from '../lib/thrown.js'
import type { Contract } from './contract/contract.js'
import { ApiError, describeUnknown, MockError, STATUS_BY_CODE } from './contract/errors.js'
import type { OwnContext, OwnHandler } from './own-handler.js'
import type { StoredRecord } from './resources/additions.js'
import { findRecord } from './resources/find.js'
import type { GenericHandler, ResourceContext, Tools } from './resources/handler.js'
import { createResourceHandlers, type ResourceHandler } from './resources/handlers.js'
import { errorCodesOf } from './resources/messages.js'
import type { ServiceResource } from './resources/service-resource.js'
import { createStatelessHandler } from './resources/stateless.js'
import type { HandlerResponse } from './service.js'

interface Description {
  readonly operations?: Readonly<Record<string, OwnHandler | undefined>>
  readonly errors?: Readonly<Record<string, number>>
}

type Handler = (context: ResourceContext) => MaybePromise<HandlerResponse>

/** By operationId: the service's own handlers, and the generic ones for all other operations of the resources. */
export function createHandlers(
  { operations = {}, errors = {} }: Description,
  resources: readonly ServiceResource[],
  contract: Contract,
  tools: Tools,
): Record<string, Handler> {
  const statuses: Readonly<Record<string, number>> = { ...STATUS_BY_CODE, ...errorCodesOf(resources), ...errors }
  const fail = (code: string, message: string) => {
    const status = Object.hasOwn(statuses, code) ? statuses[code] : undefined
    if (status !== undefined)
      return Object.assign(new ApiError(status, code, message), { isExact: Object.hasOwn(errors, code) })
    const problem = describeUnknown('error code', code, Object.keys(statuses))
    throw new MockError('INVALID_OPTION', `fail: ${problem} Add it to the errors of the service, with its status.`)
  }
  const generic = createResourceHandlers(resources, tools)
  // An operation may be called `constructor`, which every other object inherits.
  const standard: Record<string, GenericHandler> = Object.create(null)
  for (const { operation } of contract.operations()) standard[operation] = createStatelessHandler(operation, contract)
  for (const [id, { handle }] of generic) standard[id] = handle
  const handlers: Record<string, Handler> = Object.assign(Object.create(null), standard)
  for (const [id, own] of Object.entries(operations)) {
    if (own === undefined) continue
    handlers[id] = nameFailures(id, bindOwn(own, standard[id], generic.get(id), fail, tools))
  }
  return handlers
}

/** What a handler throws is a mistake in the service, not in the mock. */
function nameFailures(id: string, handler: Handler): Handler {
  const fail = (error: unknown): never => {
    if (error instanceof ApiError) throw error
    const reason = error instanceof MockError ? error.message : describeValue(error)
    const place = isError(error) ? placeIn(String(error.stack), new Error().stack) : undefined
    const message = `The handler of ${id} in the service failed: ${reason}${place ? ` (${place})` : ''}`
    throw Object.assign(new MockError('CALLBACK_FAILED', message), { cause: error })
  }
  return (context) => {
    try {
      const response = handler(context)
      return response instanceof Promise ? response.catch(fail) : response
    } catch (error) {
      return fail(error)
    }
  }
}

function bindOwn(
  own: OwnHandler,
  standard: GenericHandler | undefined,
  generic: ResourceHandler | undefined,
  fail: OwnContext['fail'],
  tools: Tools,
): Handler {
  const isOfRecord = generic !== undefined && generic.role !== 'list' && generic.role !== 'create'
  return (context) => {
    const record = isOfRecord ? findRecord(generic.resource, context) : undefined
    const services = (context.services ?? tools.documents?.noServices) as OwnContext['services']
    return own(Object.assign(context, { record: record as StoredRecord, fail, services }), (change) => {
      if (standard === undefined) throw new Error('The OpenAPI document does not have this operation.')
      return standard(context, change)
    })
  }
}
