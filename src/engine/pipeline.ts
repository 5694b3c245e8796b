import { type TimeSource, wait } from '../lib/clock.js'
import type { Answer } from '../petstore/operations/operation.js'
import { isAdminPath } from './address.js'
import type { BodyLimits } from './contract/body.js'
import type { Contract } from './contract/contract.js'
import { ApiError, type ErrorCode, quote } from './contract/errors.js'
import type { PlainRequest, PlainResponse, Result, Waiting } from './contract/messages.js'
import { accepts, checkExpectation } from './contract/negotiation.js'
import type { Operation } from './contract/operation.js'
import type { Parameters } from './contract/parameters.js'
import { render, toFailure, toRefusal } from './contract/render.js'
import type { RouteMatch } from './contract/route.js'
import { write } from './contract/serialize.js'
import { parsePath, parseQuery } from './contract/target.js'
import type { OperationId } from './contract/types.js'
import { applyFault, delayOf, type FaultEffect, toFaultResult } from './control/apply-fault.js'
import type { Overrides } from './control/overrides.js'
import type { Limits } from './limits.js'

/** A request that keeps to its document, as far as the document speaks of it. */
export interface Asked extends Parameters {
  readonly body: unknown
  /** The path of the base address, for references in the answer. */
  readonly base: string
}

/** A document, and what its operations do. */
export interface Service {
  readonly contract: Contract
  /** By operationId; each is for the types that its operation has in the document. */
  readonly handlers: object
  /** What was asked, together with what the handlers work on. */
  toCall(asked: Asked): object
  /** How much of an operation's body is taken. */
  bodyLimits(operation: string): BodyLimits
}

export interface StoreService extends Service {
  /** By which an operation has passed its sunset. */
  readonly clock: TimeSource
}

export interface CoreOptions extends Readonly<Pick<Limits, 'maxUrlLength' | 'maxQueryParameters'>> {
  readonly sunset: 'announce' | 'enforce'
  readonly strict: boolean
  readonly validateResponses: boolean
}

/** What may come between a request and the store. */
export interface Interference {
  readonly overrides: Overrides
  /** The fault that a request of the store meets. */
  meet(request: PlainRequest, operation: Operation, segments: readonly string[]): FaultEffect | undefined
  /** How long an answer of the store takes, without a fault. */
  delay(): number
  /** Where everything leads that does not lead to the store. */
  control(): Service | Promise<Service>
}

/** The way of a request, the same for every adapter: each check in the order in which the contract answers them. */
export function createCore(store: StoreService, options: CoreOptions): (request: PlainRequest) => PlainResponse
/** With what may take its time. */
export function createCore(
  store: StoreService,
  options: CoreOptions,
  interference: Interference,
): (request: PlainRequest, waiting?: Waiting) => PlainResponse | Promise<PlainResponse>
export function createCore(store: StoreService, options: CoreOptions, interference?: Interference) {
  function run(request: PlainRequest, exchange: Exchange): Result | Promise<Result> {
    if (request.path === '*' && request.method === 'OPTIONS') return { status: 204, headers: { Allow: EVERY_METHOD } }
    checkLength(request, options.maxUrlLength)
    checkExpectation(request.headers.expect)
    const segments = parsePath(request.path)
    const parsed = { request, segments, query: parseQuery(request.query, options.maxQueryParameters) }
    const match = store.contract.match(segments)
    if (match || !interference) return perform(store, match, parsed, exchange)
    const control = interference.control()
    const answer = (service: Service) => perform(service, service.contract.match(segments), parsed, exchange)
    if (!(control instanceof Promise)) return answer(control)
    return control.then(answer).catch((error) => refuse(error, exchange))
  }

  function perform(
    service: Service,
    match: RouteMatch | undefined,
    { request, segments, query }: ParsedRequest,
    exchange: Exchange,
  ): Result | Promise<Result> {
    if (match === undefined) throw notFound(request)
    if (request.method === 'OPTIONS') return { status: 204, headers: { Allow: match.route.allow } }
    const { contract } = service
    const operation = contract.operation(match, request.method === 'HEAD' ? 'GET' : request.method)
    if (operation === undefined) throw methodNotAllowed(request, match.route.allow)
    exchange.operation = operation
    exchange.service = service
    if (options.sunset === 'enforce') checkSunset(operation, store.clock)
    if (service === store) exchange.fault = interference?.meet(request, operation, segments)
    const instead = exchange.fault && toFaultResult(exchange.fault, operation.id)
    if (instead) return instead
    checkAccept(operation, request)

    // A typo in what a test asks the control plane for must be loud.
    const isStrict = options.strict || (service !== store && isAdminPath(request.path))
    const parameters = contract.readParameters(operation, match.values, query, isStrict)
    if (parameters instanceof ApiError) return refuse(parameters, exchange)
    const body = operation.takesBody
      ? contract.readBody(operation, request, service.bodyLimits(operation.id))
      : undefined
    if (body instanceof ApiError) return refuse(body, exchange)
    exchange.isAccepted = true
    const asked = { path: parameters.path, query: parameters.query, body, base: request.base }
    if (service !== store || !interference?.overrides.cover(operation.id)) {
      return act(service, operation, asked, exchange)
    }
    return interference.overrides.answer({
      operation: operation.id,
      // The user's to change: what is asked again is read from the same ones.
      params: structuredClone(parameters.path),
      query: structuredClone(parameters.query),
      body,
      headers: request.headers,
      // The store answers at once.
      perform: () => attempt(() => act(service, operation, asked, exchange), exchange) as Result,
    })
  }

  function finish(request: PlainRequest, exchange: Exchange, result: Result): PlainResponse {
    const { operation, fault } = exchange
    const violation = options.validateResponses ? findViolation(exchange, result) : undefined
    const sound = violation === undefined ? result : toFailure(new Error(violation), operation)
    const response = render(request, operation, sound)
    return fault ? applyFault(response, fault) : response
  }

  /** How long the answer is held back, now that everything has happened. */
  function delay({ service, fault }: Exchange): number {
    if (service !== store || interference === undefined) return 0
    return interference.delay() + (fault ? delayOf(fault) : 0)
  }

  return (request: PlainRequest, waiting?: Waiting) => {
    const exchange: Exchange = {
      operation: undefined,
      service: undefined,
      fault: undefined,
      isAccepted: false,
    }
    const respond = (result: Result): PlainResponse | Promise<PlainResponse> => {
      const response = finish(request, exchange, result)
      const held = delay(exchange)
      return held === 0 ? response : wait(held, waiting?.signal).then(() => response)
    }
    const result = attempt(() => run(request, exchange), exchange)
    return result instanceof Promise ? result.then(respond) : respond(result)
  }
}

function act(service: Service, operation: Operation, asked: Asked, exchange: Exchange): Result | Promise<Result> {
  // The contract has checked that the request has the types which the handler's operation gives it.
  const handler = (service.handlers as Handlers)[operation.id as OperationId]
  const answer = handler(service.toCall(asked))
  if (!(answer instanceof Promise)) return toResult(operation, answer)
  return answer.then((settled) => toResult(operation, settled)).catch((error) => refuse(error, exchange))
}

type Handlers = Record<OperationId, (call: object) => Answer<OperationId> | Promise<Answer<OperationId>>>

interface ParsedRequest {
  readonly request: PlainRequest
  readonly segments: readonly string[]
  readonly query: ReturnType<typeof parseQuery>
}

/** What a request to no path in particular (`OPTIONS *`) is told. */
const EVERY_METHOD = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/** What is known of a request so far; an answer that fails on the way is still the answer of its operation. */
interface Exchange {
  operation: Operation | undefined
  service: Service | undefined
  fault: FaultEffect | undefined
  /** The request is one of the document; what is wrong from here on is the store's affair. */
  isAccepted: boolean
}

function checkLength({ base, path, query }: PlainRequest, most: number): void {
  const length = base.length + path.length + (query === '' ? 0 : 1 + query.length)
  if (length <= most) return
  throw new ApiError('URI_TOO_LONG', `the path and query have ${length} characters, and at most ${most} are taken`)
}

function notFound({ path, base }: PlainRequest): ApiError {
  const document = isAdminPath(path) ? `${base}/__admin/openapi.yaml` : `${base}/openapi.yaml`
  const shown = path === '/' ? `, and a running server shows them at ${base}/docs` : ''
  return new ApiError(
    'ROUTE_NOT_FOUND',
    `there is no path ${quote(path)} here: ${document} lists those there are${shown}`,
  )
}

function methodNotAllowed({ method, path }: PlainRequest, allow: string): ApiError {
  return new ApiError('METHOD_NOT_ALLOWED', `${quote(path)} does not take ${method.slice(0, 20)}: it takes ${allow}`, {
    Allow: allow,
  })
}

function checkSunset({ id, sunset }: Operation, clock: TimeSource): void {
  if (sunset === undefined || clock.now() < sunset) return
  const day = new Date(sunset).toISOString().slice(0, 10)
  throw new ApiError('OPERATION_SUNSET', `${id} ended on ${day}: it is no longer offered`)
}

function checkAccept({ offers }: Operation, { headers }: PlainRequest): void {
  if (accepts(headers.accept, offers)) return
  throw new ApiError(
    'NOT_ACCEPTABLE',
    `the answer is ${offers.join(' or ')}, which the Accept header ${quote(headers.accept ?? '')} excludes`,
  )
}

function attempt<R>(run: () => R, exchange: Exchange): R | Result {
  try {
    return run()
  } catch (error) {
    return refuse(error, exchange)
  }
}

function refuse(error: unknown, { operation, isAccepted }: Exchange): Result {
  if (!(error instanceof ApiError)) return toFailure(error, operation)
  const isViolation = !isAccepted && !OTHER_REASONS.includes(error.code)
  return toRefusal(error, isViolation ? error.message : undefined)
}

/** A request of the document may be refused for these before the store is asked. */
const OTHER_REASONS: readonly ErrorCode[] = ['BODY_TOO_LARGE', 'OPERATION_SUNSET']

function toResult(operation: Operation, { status, headers = {}, body, stream }: Answer<OperationId>): Result {
  if (body === undefined && stream === undefined) return { status, headers }
  const shape = operation.shapeOf(status)
  if (shape === undefined) throw new Error(`the document gives ${operation.id} ${status} no content`)
  const { mediaType } = shape
  if (stream) return { status, headers, stream, mediaType }
  const { text, bytes } = write(shape.serialize, body)
  return { status, headers, body: text, bytes, mediaType }
}

/** Where an answer of an operation leaves its document: a fault of the mock, unless it has failed already. */
function findViolation({ operation, service }: Exchange, result: Result): string | undefined {
  const { status, body, mediaType, failure, misuse } = result
  if (operation === undefined || status === 0 || failure !== undefined || misuse !== undefined) return undefined
  if (mediaType !== undefined && mediaType !== 'application/json') return undefined
  return service?.contract.findResponseViolation(operation, status, body)
}
