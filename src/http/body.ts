import { parseJson } from '../lib/json.js'
import { findExcess, type JsonLimits } from '../lib/json-in-steps.js'
import { quote } from '../lib/text.js'
import { apiError } from './errors.js'
import { isHeaderValue } from './header-rules.js'
import type { PlainRequest } from './messages.js'
import { isJsonContentType } from './negotiation.js'

const JSON_ONLY = 'application/json'

const ACCEPT_HEADER: Record<string, string> = { POST: 'Accept-Post', PATCH: 'Accept-Patch' }

export interface BodyLimits extends JsonLimits {
  readonly maxBodyBytes: number
}

/** Throws an ApiError when the body cannot be read, and returns one when it violates its schema. */
export type BodyReader = (request: PlainRequest, limits: BodyLimits) => unknown

/** Parses a request body as JSON in UTF-8. Type, encoding and size are checked before the content. */
export function readJsonBody(request: PlainRequest, limits: BodyLimits): unknown {
  return parseJsonText(decodeBody(request, limits), limits)
}

/** The text of the body. Throws an ApiError if its type, encoding or size is not accepted. */
export function decodeBody(request: PlainRequest, limits: BodyLimits): string {
  return decodeUtf8(bytesOf(request, limits))
}

function bytesOf(request: PlainRequest, limits: BodyLimits): Uint8Array {
  const { body, headers, method } = request
  checkContentType(method, headers['content-type'], isEmpty(body))
  checkEncoding(request, JSON_ONLY)
  const bytes = checkSize(body, limits)
  if (bytes === undefined) throw apiError('MALFORMED_BODY', 'Request body is empty. A JSON object is required.')
  return bytes
}

export function isEmpty(body: PlainRequest['body']): boolean {
  return body === undefined || body.length === 0
}

/** The bytes, or undefined if there are none. */
export function checkSize(body: PlainRequest['body'], { maxBodyBytes }: BodyLimits): Uint8Array | undefined {
  if (body === 'too large' || (body !== undefined && body.length > maxBodyBytes)) {
    throw apiError('BODY_TOO_LARGE', `Request body exceeds ${maxBodyBytes} bytes.`)
  }
  return isEmpty(body) ? undefined : body
}

export const notJson = () => apiError('MALFORMED_BODY', 'Request body is not valid JSON.')
export const tooMuch = (excess: string) => apiError('INVALID_REQUEST', `Request body ${excess}.`)

function checkContentType(method: string, contentType: string | undefined, isEmpty: boolean): void {
  if (contentType === undefined ? isEmpty : isJsonContentType(contentType)) return
  throw unsupportedType(method, contentType, `${JSON_ONLY} in UTF-8`, JSON_ONLY)
}

/** `expected` reads after "must be", and `accepted` are the media types. */
export function unsupportedType(method: string, contentType: string | undefined, expected: string, accepted: string) {
  return apiError(
    'UNSUPPORTED_MEDIA_TYPE',
    contentType === undefined
      ? `Request body has no Content-Type. Set it to ${accepted.replaceAll(', ', ' or ')}.`
      : `Content-Type must be ${expected}. Received: ${quote(contentType)}.`,
    acceptedTypes(method, accepted),
  )
}

export function checkEncoding({ method, headers }: PlainRequest, accepted: string): void {
  const encoding = headers['content-encoding']
  if (encoding === undefined || encoding.trim() === '') return
  const message = `Content-Encoding ${quote(encoding)} is not supported. Send the body without one.`
  const types = acceptedTypes(method, accepted)
  throw apiError('UNSUPPORTED_MEDIA_TYPE', message, { ...types, 'Accept-Encoding': 'identity' })
}

/** The header that says which bodies are accepted. There is none for PUT, which gets `Accept`. */
function acceptedTypes(method: string, accepted: string): Record<string, string> {
  return isHeaderValue(accepted) ? { [ACCEPT_HEADER[method] ?? 'Accept']: accepted } : {}
}

// Not stripped: JSON must not start with a byte order mark, so the parser rejects it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw apiError('MALFORMED_BODY', 'Request body is not valid UTF-8.')
  }
}

export function parseJsonText(text: string, limits: JsonLimits): unknown {
  const excess = findExcess(text, limits)
  if (excess !== undefined) throw tooMuch(excess)
  try {
    return parseJson(text)
  } catch {
    throw notJson()
  }
}
