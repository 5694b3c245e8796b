import { isBytes } from '../../lib/kind.js'
import type { PlainRequest, PlainResponse, Trace } from '../contract/messages.js'

/** An entry as it is stored. It is rendered when it is read. */
export interface RawEntry {
  readonly id: number
  readonly at: number
  readonly durationMs: number
  readonly request: PlainRequest
  readonly response: PlainResponse
  readonly trace: Trace
  /** About how much memory it takes. */
  readonly bytes: number
  readonly cut?: { readonly request: boolean; readonly response: boolean }
}

const MAX_BODY = 65_536

/** Approximate memory of an entry without its path, headers and bodies. */
const BASE_BYTES = 500

export function toStored(entry: Omit<RawEntry, 'bytes' | 'cut'>): RawEntry {
  const request = shortenRequest(entry.request)
  const response = shortenResponse(entry.response)
  const cut = { request: request !== entry.request, response: response !== entry.response }
  const headers = sizeOfHeaders(request.headers) + sizeOfHeaders(response.headers)
  const bodies = (request.body?.length ?? 0) + (response.body?.length ?? 0) + (response.bytes?.length ?? 0)
  const bytes = BASE_BYTES + request.path.length + request.query.length + headers + bodies
  const { id, at, durationMs, trace } = entry
  const stored = { id, at, durationMs, request, response, trace, bytes }
  return cut.request || cut.response ? { ...stored, cut } : stored
}

function sizeOfHeaders(headers: PlainRequest['headers']): number {
  let size = 0
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0)
  return size
}

function shortenRequest(request: PlainRequest): PlainRequest {
  const { body } = request
  return isBytes(body) && body.length > MAX_BODY ? { ...request, body: startOf(body) } : request
}

function shortenResponse(response: PlainResponse): PlainResponse {
  const { body, bytes } = response
  if (bytes !== undefined && bytes.length > MAX_BODY) return { ...response, bytes: startOf(bytes) }
  if (body === undefined || body.length <= MAX_BODY) return response
  return { ...response, body: decoder.decode(encoder.encode(body.slice(0, MAX_BODY))) }
}

/** A real copy, as of a body: a slice of a string or a Buffer would keep all of it in memory. */
function startOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.subarray(0, MAX_BODY))
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
