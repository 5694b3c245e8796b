import type { Outcome, PlainRequest, PlainResponse, Trace } from '../../http/messages.js'
import { isBytes } from '../../lib/values.js'

/** A request and its response as they are stored, from the arrival of the request on. They are rendered when they are read. */
export interface StoredEntry {
  /** Among all steps. */
  readonly position: number
  /** Among all entries that the journal has had since the last reset. -1 if it has not had this one yet. */
  index: number
  /** In the journal. 0 if it has not had this one yet. */
  id: number
  /** When the request arrived, by the mock's clock. */
  readonly at: number
  readonly request: PlainRequest
  readonly isRequestCut: boolean
  /** Whether there is no response yet. */
  isPending: boolean
  durationMs: number
  response: PlainResponse
  isResponseCut: boolean
  trace: Trace
  /** About how much memory it takes. */
  bytes: number
}

const MAX_BODY = 65_536

/** Approximate memory of an entry without its path, headers and bodies. */
const BASE_BYTES = 500

const NO_RESPONSE: PlainResponse = { status: 0, headers: {} }

/** The entry of a request that has arrived. */
export function createEntry(position: number, given: PlainRequest, at: number): StoredEntry {
  const request = shortenRequest(given)
  const { path, query, headers, body } = request
  return {
    position,
    index: -1,
    id: 0,
    at,
    request,
    isRequestCut: request !== given,
    isPending: true,
    durationMs: 0,
    response: NO_RESPONSE,
    isResponseCut: false,
    trace: {},
    bytes: BASE_BYTES + path.length + query.length + sizeOfHeaders(headers) + (body?.length ?? 0),
  }
}

/** Adds the response to an entry. Returns about how many bytes that takes. */
export function completeEntry(entry: StoredEntry, { response: given, trace }: Outcome, durationMs: number): number {
  const response = shortenResponse(given)
  const bytes = sizeOfHeaders(response.headers) + (response.body?.length ?? 0) + (response.bytes?.length ?? 0)
  entry.isPending = false
  entry.durationMs = durationMs
  entry.response = response
  entry.isResponseCut = response !== given
  entry.trace = trace
  entry.bytes += bytes
  return bytes
}

function sizeOfHeaders(headers: PlainRequest['headers']): number {
  let size = 0
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0)
  return size
}

function shortenRequest(request: PlainRequest): PlainRequest {
  const { body } = request
  return body !== undefined && body.length > MAX_BODY && isBytes(body) ? { ...request, body: startOf(body) } : request
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
