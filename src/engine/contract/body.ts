import { parseJson } from '../../lib/json.js'
import { findExcess, type JsonLimits } from '../../lib/json-size.js'
import { quote } from '../../lib/quote.js'
import { apiError } from './errors.js'
import type { PlainRequest } from './messages.js'
import { isJsonContentType } from './negotiation.js'

const JSON_ONLY = 'application/json'

const ACCEPT_HEADER: Record<string, string> = { POST: 'Accept-Post', PATCH: 'Accept-Patch' }

/** How much of a body is taken: see `Limits`. */
export interface BodyLimits extends JsonLimits {
  readonly maxBodyBytes: number
}

/** Reads a request's body as one JSON document in UTF-8, checking type, coding and size before its content. */
export function readJsonBody(request: PlainRequest, limits: BodyLimits): unknown {
  const { maxBodyBytes } = limits
  const { body, headers, method } = request
  const empty = body === undefined || body.length === 0
  checkContentType(method, headers['content-type'], empty)
  checkCoding(method, headers['content-encoding'])
  if (body === 'too large' || (body !== undefined && body.length > maxBodyBytes)) {
    throw apiError('BODY_TOO_LARGE', `the body is larger than ${maxBodyBytes} bytes, the most that is taken`)
  }
  if (empty) throw apiError('MALFORMED_BODY', 'the body is empty, but a JSON object is required')
  return parseText(decodeUtf8(body), limits)
}

function checkContentType(method: string, contentType: string | undefined, empty: boolean): void {
  if (contentType === undefined ? empty : isJsonContentType(contentType)) return
  throw apiError(
    'UNSUPPORTED_MEDIA_TYPE',
    contentType === undefined
      ? `the body has no Content-Type: declare it as ${JSON_ONLY}`
      : `the Content-Type must be ${JSON_ONLY} in UTF-8, but is ${quote(contentType)}`,
    whatIsTaken(method),
  )
}

function checkCoding(method: string, coding: string | undefined): void {
  if (coding === undefined || coding.trim() === '') return
  throw apiError('UNSUPPORTED_MEDIA_TYPE', `the body has the Content-Encoding ${quote(coding)}: send it without one`, {
    ...whatIsTaken(method),
    'Accept-Encoding': 'identity',
  })
}

/** Tells the client which bodies it may send instead; there is no header of that kind for PUT, so it gets `Accept`. */
function whatIsTaken(method: string): Record<string, string> {
  return { [ACCEPT_HEADER[method] ?? 'Accept']: JSON_ONLY }
}

// A byte-order mark is kept, so that the JSON reader refuses it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw apiError('MALFORMED_BODY', 'the body is not valid UTF-8')
  }
}

function parseText(text: string, limits: JsonLimits): unknown {
  const excess = findExcess(text, limits)
  if (excess !== undefined) throw apiError('INVALID_REQUEST', `the body is JSON ${excess}, the most that is taken`)
  try {
    return parseJson(text)
  } catch {
    throw apiError('MALFORMED_BODY', 'the body is not one valid JSON document')
  }
}
