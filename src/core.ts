import type { Contract } from './contract/contract.js'
import { ApiError, type ErrorCode, quote, toErrorBody } from './contract/errors.js'
import { version } from './contract/generated/version.js'
import type { PlainRequest, PlainResponse, Result } from './contract/messages.js'
import { accepts } from './contract/negotiation.js'
import type { Operation } from './contract/operation.js'
import type { RouteMatch } from './contract/route.js'
import { parsePath, parseQuery } from './contract/target.js'
import type { OperationId } from './contract/types.js'
import type { Overrides } from './control/overrides.js'
import type { Answer, Handler, Store } from './operations/operation.js'

/** A document, and what its operations do. */
export interface Service {
  readonly contract: Contract
  readonly handlers: { readonly [O in OperationId]?: Handler<O> }
}

export interface CoreOptions {
  readonly sunset: 'announce' | 'enforce'
  readonly strict: boolean
  readonly maxBodyBytes: number
  readonly validateResponses: boolean
}

/** The way of a request, the same for every door: each check in the order in which the contract answers them. */
export function createCore(
  services: readonly Service[],
  store: Store,
  options: CoreOptions,
): (request: PlainRequest) => PlainResponse
/** With overrides, which may take their time. */
export function createCore(
  services: readonly Service[],
  store: Store,
  options: CoreOptions,
  overrides: Overrides,
): (request: PlainRequest) => PlainResponse | Promise<PlainResponse>
export function createCore(services: readonly Service[], store: Store, options: CoreOptions, overrides?: Overrides) {
  function run(request: PlainRequest, exchange: Exchange): Result | Promise<Result> {
    if (request.path === '*' && request.method === 'OPTIONS') return { status: 204, headers: { Allow: EVERY_METHOD } }
    const segments = parsePath(request.path)
    const query = parseQuery(request.query)
    const { service, match } = route(services, request, segments)
    if (request.method === 'OPTIONS') return { status: 204, headers: { Allow: match.route.allow } }

    const { contract } = service
    const operation = contract.operation(match, request.method === 'HEAD' ? 'GET' : request.method)
    if (operation === undefined) throw methodNotAllowed(request, match.route.allow)
    exchange.operation = operation
    exchange.contract = contract
    if (options.sunset === 'enforce') checkSunset(operation, store)
    checkAccept(operation, request)

    const parameters = contract.readParameters(operation, match.values, query, options.strict)
    const body = operation.takesBody ? contract.readBody(operation, request, options.maxBodyBytes) : undefined
    exchange.isAccepted = true
    const perform = (): Result => {
      // The contract has checked that the request has the types which the handler's operation gives it.
      const handler = service.handlers[operation.id as OperationId] as unknown as (call: object) => Answer<OperationId>
      return toResult(operation, handler({ ...store, ...parameters, body, base: request.base }))
    }
    if (!overrides?.cover(operation.id)) return perform()
    return overrides.answer({
      operation: operation.id,
      params: parameters.path,
      query: parameters.query,
      body,
      headers: request.headers,
      perform: () => attempt(perform, exchange),
      findViolation: (status, text) => contract.findResponseViolation(operation, status, text),
    })
  }

  function finish(request: PlainRequest, exchange: Exchange, result: Result): PlainResponse {
    const violation = options.validateResponses ? findViolation(exchange, result) : undefined
    return render(request, exchange, violation === undefined ? result : toFailure(new Error(violation), exchange))
  }

  return (request: PlainRequest) => {
    const exchange: Exchange = {}
    const result = attempt(() => run(request, exchange), exchange)
    if (!(result instanceof Promise)) return finish(request, exchange, result)
    return result.then((settled) => finish(request, exchange, settled))
  }
}

/** What a request to no path in particular (`OPTIONS *`) is told. */
const EVERY_METHOD = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/** The answer to a request that a door refuses before the core sees it. */
export function toErrorResponse(error: ApiError): PlainResponse {
  return render({ method: '', base: '' }, {}, toRefusal(error))
}

/** What is known of a request so far; an answer that fails on the way is still the answer of its operation. */
interface Exchange {
  operation?: Operation
  contract?: Contract
  /** The request is one of the document; what is wrong from here on is the store's affair. */
  isAccepted?: true
}

function route(
  services: readonly Service[],
  request: PlainRequest,
  segments: readonly string[],
): { service: Service; match: RouteMatch } {
  for (const service of services) {
    const match = service.contract.match(segments)
    if (match) return { service, match }
  }
  throw new ApiError(
    'ROUTE_NOT_FOUND',
    `there is no path ${quote(request.path)} here: ${request.base}/openapi.yaml lists those there are`,
  )
}

function methodNotAllowed({ method, path }: PlainRequest, allow: string): ApiError {
  return new ApiError('METHOD_NOT_ALLOWED', `${quote(path)} does not take ${method.slice(0, 20)}: it takes ${allow}`, {
    Allow: allow,
  })
}

function checkSunset({ id, sunset }: Operation, { clock }: Store): void {
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
    if (!(error instanceof ApiError)) return toFailure(error, exchange)
    const isViolation = !exchange.isAccepted && !OTHER_REASONS.includes(error.code)
    return { ...toRefusal(error), ...(isViolation && { violation: error.message }) }
  }
}

/** A request of the document may be refused for these before the store is asked. */
const OTHER_REASONS: readonly ErrorCode[] = ['BODY_TOO_LARGE', 'OPERATION_SUNSET']

function toResult(operation: Operation, { status, headers = {}, body }: Answer<OperationId>): Result {
  if (body === undefined) return { status, headers }
  const shape = operation.shapeOf(status)
  if (shape === undefined) throw new Error(`the document gives ${operation.id} ${status} no content`)
  return { status, headers, body: shape.serialize(body), mediaType: shape.mediaType }
}

function toFailure(failure: unknown, { operation }: Exchange): Result {
  const message = `the mock failed${operation ? ` in ${operation.id}` : ''}: this is its fault, not the request's`
  return { ...toRefusal(new ApiError('INTERNAL_ERROR', message)), failure }
}

function toRefusal({ code, message, status, headers }: ApiError): Result {
  return { status, headers, code, body: toErrorBody(code, message, status), mediaType: 'application/json' }
}

/** Where an answer of an operation leaves its document: a fault of the mock, unless it has failed already. */
function findViolation({ operation, contract }: Exchange, result: Result): string | undefined {
  const { status, body, mediaType, failure, misuse } = result
  if (operation === undefined || failure !== undefined || misuse !== undefined) return undefined
  if (body !== undefined && mediaType !== 'application/json') return undefined
  return contract?.findResponseViolation(operation, status, body)
}

function render(
  request: Pick<PlainRequest, 'method' | 'base'>,
  { operation }: Exchange,
  result: Result,
): PlainResponse {
  const { status, body, mediaType, code, violation, failure, misuse } = result
  const lifecycle = operation?.headers(request.base)
  const links = [result.headers?.Link, lifecycle?.Link].filter((link) => link !== undefined)
  const headers: Record<string, string> = {
    ...(body !== undefined && mediaType !== undefined && { 'Content-Type': mediaType }),
    ...(body !== undefined && { 'Content-Length': String(utf8Length(body)) }),
    'X-Petstore-Mock': version,
    ...lifecycle,
    ...result.headers,
    ...(links.length > 0 && { Link: links.join(', ') }),
  }
  return {
    status,
    headers,
    ...(body !== undefined && request.method !== 'HEAD' && { body }),
    ...(operation && { operation: operation.id }),
    ...(code !== undefined && { code }),
    ...(violation !== undefined && { violation }),
    ...(failure !== undefined && { failure }),
    ...(misuse !== undefined && { misuse }),
  }
}

/** How many bytes a well-formed text takes in UTF-8. */
function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1
  }
  return bytes
}
