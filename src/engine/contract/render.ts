import { version } from '../../lib/generated/version.js'
import { utf8Length } from '../../lib/utf8.js'
import { ApiError, toErrorBody } from './errors.js'
import type { PlainRequest, PlainResponse, Result } from './messages.js'
import type { Operation } from './operation.js'

/** The answer to a request that is refused before the core sees it. */
export function toErrorResponse(error: ApiError, method = ''): PlainResponse {
  return render({ method, base: '' }, undefined, toRefusal(error))
}

/** `violation` is how the request broke the contract, where it is refused for that. */
export function toRefusal({ code, message, status, headers }: ApiError, violation?: string): Result {
  const body = toErrorBody(code, message, status)
  const mediaType = 'application/json'
  return violation === undefined
    ? { status, headers, code, body, mediaType }
    : { status, headers, code, body, mediaType, violation }
}

/** What a client is told where the mock itself failed. */
export function toFailure(failure: unknown, operation: Operation | undefined): Result {
  const message = `the mock failed${operation ? ` in ${operation.id}` : ''}: this is its fault, not the request's`
  return { ...toRefusal(new ApiError('INTERNAL_ERROR', message)), failure }
}

/** The answer where the mock failed before an operation was found. */
export function toFailureResponse(failure: unknown, method: string): PlainResponse {
  return render({ method, base: '' }, undefined, toFailure(failure, undefined))
}

/** An answer with the headers that every answer, and every answer of its operation, has. */
export function render(
  request: Pick<PlainRequest, 'method' | 'base'>,
  operation: Operation | undefined,
  result: Result,
): PlainResponse {
  const { body, stream, code, violation, failure, misuse } = result
  const response: Writable<PlainResponse> = {
    status: result.status,
    headers: headersOf(request.base, operation, result),
  }
  const hasBody = request.method !== 'HEAD'
  if (body !== undefined && hasBody) response.body = body
  if (stream !== undefined && hasBody) response.stream = stream
  if (operation !== undefined) response.operation = operation.id
  if (code !== undefined) response.code = code
  if (violation !== undefined) response.violation = violation
  if (failure !== undefined) response.failure = failure
  if (misuse !== undefined) response.misuse = misuse
  return response
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

/** One by one: every answer comes this way, and to spread so many objects takes longer than most answers do. */
function headersOf(base: string, operation: Operation | undefined, result: Result): Record<string, string> {
  const { body, mediaType, headers: given } = result
  const headers: Record<string, string> = {}
  if (mediaType !== undefined) headers['Content-Type'] = mediaType
  if (body !== undefined) headers['Content-Length'] = String(result.bytes ?? utf8Length(body))
  headers['X-Petstore-Mock'] = version
  const lifecycle = operation?.headers(base)
  for (const name in lifecycle) headers[name] = lifecycle[name] as string
  for (const name in given) headers[name] = given[name] as string
  if (given?.Link !== undefined && lifecycle?.Link !== undefined) headers.Link = `${given.Link}, ${lifecycle.Link}`
  return headers
}
