import { ApiError, toErrorBody } from './errors.js'
import { version } from './generated/version.js'
import type { PlainRequest, PlainResponse, Result } from './messages.js'
import type { Operation } from './operation.js'

/** The answer to a request that is refused before the core sees it. */
export function toErrorResponse(error: ApiError, method = ''): PlainResponse {
  return render({ method, base: '' }, undefined, toRefusal(error))
}

export function toRefusal({ code, message, status, headers }: ApiError): Result {
  return { status, headers, code, body: toErrorBody(code, message, status), mediaType: 'application/json' }
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
  const { status, body, stream, mediaType, code, violation, failure, misuse } = result
  const lifecycle = operation?.headers(request.base)
  const links = [result.headers?.Link, lifecycle?.Link].filter((link) => link !== undefined)
  const headers: Record<string, string> = {
    ...(mediaType !== undefined && { 'Content-Type': mediaType }),
    ...(body !== undefined && { 'Content-Length': String(utf8Length(body)) }),
    'X-Petstore-Mock': version,
    ...lifecycle,
    ...result.headers,
    ...(links.length > 0 && { Link: links.join(', ') }),
  }
  const hasBody = request.method !== 'HEAD'
  return {
    status,
    headers,
    ...(body !== undefined && hasBody && { body }),
    ...(stream !== undefined && hasBody && { stream }),
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
