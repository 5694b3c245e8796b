import { NoResponse } from './cannot-check.js'
import { parseIfJson, type ServiceResponse } from './service-response.js'

/** The platform's `fetch`, or anything like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface ServiceOptions {
  /** An absolute address, without a slash at the end. */
  readonly baseUrl: string
  readonly fetch: Fetch
  /** Sent with every request and never shown, since they may hold a secret. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** For each request. */
  readonly timeoutMs: number
}

export interface OutgoingRequest {
  readonly method: string
  /** The path below the base address, with the query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer> | undefined
}

export const JSON_TYPE = 'application/json'

export function toGet(target: string): OutgoingRequest {
  return { method: 'GET', target, headers: { Accept: JSON_TYPE } }
}

/** Sends one request to a service, and reads its response to the end. Throws NoResponse. */
export async function sendRequest(
  options: ServiceOptions,
  request: OutgoingRequest,
  signal?: AbortSignal,
): Promise<ServiceResponse> {
  const { baseUrl, fetch, timeoutMs } = options
  const headers = new Headers()
  for (const [name, value] of options.headers) headers.append(name, value)
  for (const [name, value] of Object.entries(request.headers)) {
    if (!isOrdinary(name, value) || !headers.has(name)) headers.set(name, value)
  }
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  try {
    const response = await fetch(`${baseUrl}${request.target}`, {
      method: request.method,
      headers,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([timeout.signal, signal]) : timeout.signal,
      ...(request.body !== undefined && { body: request.body }),
    })
    const text = await readText(response)
    const sent = describeRequest(request)
    return { status: response.status, headers: response.headers, text, value: parseIfJson(text), sent }
  } catch (error) {
    throw new NoResponse(timeout.signal.aborted ? `no response within ${timeoutMs} ms` : explain(error))
  } finally {
    clearTimeout(timer)
  }
}

/** Far more than any response of the document, so that a service which never stops sending does not fill the memory. */
const MAX_BYTES = 16 * 1024 * 1024

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    bytes += part.value.length
    if (bytes > MAX_BYTES) {
      await reader?.cancel()
      throw new Error(`the response exceeds ${MAX_BYTES} bytes`)
    }
    text += decoder.decode(part.value, { stream: true })
  }
  return text + decoder.decode()
}

const NOT_TRUSTED = 'its certificate is not trusted; name the certificate that signed it with --ca <file>'
const NO_HTTPS = 'it does not answer HTTPS; use http:// in its address'

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'host name lookup failed',
  UND_ERR_SOCKET: 'connection closed',
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for other host names',
  ERR_SSL_WRONG_VERSION_NUMBER: NO_HTTPS,
  // The same in newer versions of OpenSSL.
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_HTTPS,
  Z_DATA_ERROR: 'its body is not in the content coding that its header names',
}

/** `fetch` throws an error that only says that it failed; the reason is its innermost cause. */
function explain(error: unknown): string {
  let reason = error as { cause?: unknown; code?: unknown; message?: unknown } | undefined
  while (typeof reason?.cause === 'object' && reason.cause !== null) reason = reason.cause
  const code = String(reason?.code ?? '')
  return REASONS[code] ?? (String(reason?.message ?? '') || code || 'unknown reason')
}

/** A header that every request has, unless the user gives another one. */
function isOrdinary(name: string, value: string): boolean {
  return /^(?:Accept|Content-Type)$/.test(name) && value === JSON_TYPE
}

/** A request in one line, without the headers that every request has. */
function describeRequest({ method, target, headers, body }: OutgoingRequest): string {
  const shown = Object.entries(headers).filter(([name, value]) => !isOrdinary(name, value))
  const listed = shown.map(([name, value]) => `${name}: ${value}`).join(', ')
  const content = typeof body === 'string' ? body || '(empty body)' : body && `(${body.length} bytes)`
  return [method, target, content, listed && `(${listed})`].filter(Boolean).join(' ')
}
