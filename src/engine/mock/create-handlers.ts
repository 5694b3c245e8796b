import type { Contract } from '../../document/contract/contract.js'
import type { Meaning } from '../../document/operations/meaning.js'
import type { GivenCredentials } from '../../document/validate/security.js'
import { ApiError, describeUnknown, MockError, STATUS_BY_CODE } from '../../http/errors.js'
import type { HandlerResponse } from '../../http/messages.js'
import { wait } from '../../lib/clock.js'
import { andThen, describeValue, isError, type MaybePromise, once, placeIn } from '../../lib/functions.js'
import type { GenericHandler, ResourceContext, Tools } from '../crud/handler.js'
import { createResourceHandlers, createStatelessHandler, type ResourceHandler } from '../crud/handlers.js'
import { errorCodesOf } from '../crud/messages.js'
import { createShow, type Show } from '../crud/show-records.js'
import type { OwnResponse } from '../pipeline/own-response.js'
import type { AnyCollections, StoredRecord } from '../resources/additions.js'
import type { ServiceResource } from '../resources/service-resource.js'
import type { Changes } from '../store/atomically.js'
import type { OwnContext, OwnHandler } from './own-handler.js'

/** Credentials are a `token`, `username` and `password`, or a `key`, as the security scheme of the operation says. */
export type Authenticate = (
  credentials: GivenCredentials,
  context: { readonly store: AnyCollections },
) => StoredRecord | undefined

interface Description {
  readonly operations?: Readonly<Record<string, OwnHandler | undefined>>
  readonly errors?: Readonly<Record<string, number>>
}

type Handler = (context: ResourceContext) => MaybePromise<HandlerResponse>
type BoundHandler = (context: ResourceContext, changes: Changes) => MaybePromise<OwnResponse>

/** By operationId: the service's own handlers, and the generic ones for all other operations of the resources. */
export function createHandlers(
  { operations = {}, errors = {} }: Description,
  resources: readonly ServiceResource[],
  meanings: readonly Meaning[],
  contract: Contract,
  tools: Tools,
): Record<string, Handler | BoundHandler> {
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
  for (const meaning of meanings) {
    const stateless = createStatelessHandler(meaning.operationId, contract)
    // At the first request: the tools are loaded then.
    const handle = once(
      () => tools.documents?.createMeaningHandler({ meaning, all: resources, tools, standard: stateless }) ?? stateless,
    )
    standard[meaning.operationId] = (context, change) => handle()(context, change)
  }
  for (const { operation, method } of contract.operations()) {
    const handle = standard[operation] as GenericHandler
    const handleOnce = once(() => tools.documents?.createOncePerKey(operation, contract, handle) ?? handle)
    if (MADE_ONCE.has(method)) standard[operation] = (context, change) => handleOnce()(context, change)
  }
  const show = createShow(resources, tools)
  const handlers: Record<string, Handler | BoundHandler> = Object.assign(Object.create(null), standard)
  for (const [id, own] of Object.entries(operations)) {
    if (own === undefined) continue
    handlers[id] = nameFailures(
      id,
      bindOwn(own, { standard: standard[id], generic: generic.get(id), fail, tools, show }),
    )
  }
  return handlers
}

/** The methods whose requests happen again each time. */
const MADE_ONCE = new Set(['POST', 'PATCH'])

/** What a handler throws is a mistake in the service, not in the mock. */
function nameFailures(id: string, handler: BoundHandler): BoundHandler {
  const fail = (error: unknown): never => {
    if (error instanceof ApiError) throw error
    const reason = error instanceof MockError ? error.message : describeValue(error)
    const place = isError(error) ? placeIn(String(error.stack), new Error().stack) : undefined
    const message = `The handler of ${id} in the service failed: ${reason}${place ? ` (${place})` : ''}`
    throw Object.assign(new MockError('CALLBACK_FAILED', message), { cause: error })
  }
  return (context, changes) => {
    try {
      const response = handler(context, changes)
      return response instanceof Promise ? endInTime(response).catch(fail) : response
    } catch (error) {
      return fail(error)
    }
  }
}

/** How long a handler may wait for another service. */
const MAX_SECONDS = 30

/** Rejects if a handler waits for what never comes. */
function endInTime<T>(response: Promise<T>): Promise<T> {
  const ended = new AbortController()
  const late = wait(MAX_SECONDS * 1000, ended.signal).then((): never => {
    throw new MockError('CALLBACK_FAILED', `it has not finished after ${MAX_SECONDS} seconds.`)
  })
  return Promise.race([response, late]).finally(() => ended.abort())
}

export function bindAuthenticate(own: Authenticate) {
  return (credentials: GivenCredentials, collections: unknown): object | undefined => {
    const fail = (problem: string, cause?: unknown) =>
      Object.assign(new MockError('CALLBACK_FAILED', `authenticate of the service ${problem}`), { cause })
    let user: unknown
    try {
      user = own(credentials, { store: collections as AnyCollections })
    } catch (error) {
      throw fail(`failed: ${describeValue(error)}`, error)
    }
    if (user === undefined || user === null) return undefined
    if (typeof user === 'object' && 'id' in user) return user
    throw fail(`must return a user with an id, or undefined, but returned ${describeValue(user)}.`)
  }
}

interface OwnParts extends Pick<OwnContext, 'fail'> {
  readonly standard: GenericHandler | undefined
  readonly generic: ResourceHandler | undefined
  readonly tools: Tools
  readonly show: Show
}

function bindOwn(own: OwnHandler, { standard, generic, fail, tools, show }: OwnParts): BoundHandler {
  return (context, changes) => {
    const services = context.services ?? tools.documents?.noServices
    const given: OwnContext = {
      ...context,
      record: generic?.findRecord(context),
      fail,
      store: changes.bind(context.store),
      // Missing with generated validators, unless it is connected.
      services: (services && changes.bind(services)) as OwnContext['services'],
    }
    let latest: OwnResponse | undefined
    const returned = own(given, (change) => {
      if (standard === undefined) throw new Error('The OpenAPI document does not have this operation.')
      const response = changes.run(() => standard(context, change))
      latest = { response, isStandard: change === undefined }
      return response
    })
    return andThen(returned, (response) =>
      latest && response === latest.response ? latest : { response: show(response), isStandard: false },
    )
  }
}
