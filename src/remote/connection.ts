import { parseJson } from '../lib/json.js'
import { quote } from '../lib/quote.js'
import type { OperationId } from '../petstore/types.js'
import type { Difference } from './verify/findings.js'

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

/** A response, read to its end. */
export interface ServiceResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, if it is JSON. */
  readonly value: unknown
  /** The request, in one line. */
  readonly sent: string
}

export const isSuccess = ({ status }: Pick<ServiceResponse, 'status'>): boolean => status >= 200 && status < 300

/** A check cannot be run and is skipped. The message says why, in a few words. */
export class CannotCheck extends Error {}

/** The service did not respond, or not completely. */
export class NoResponse extends CannotCheck {}

/** The reason of what was skipped because it may only read. */
export const NEEDS_WRITES = 'writes to the service'
export const STOPPED = 'the run was stopped'
export const SILENT = 'the service no longer responds'

/** An operation that did not respond this often is not called again, since each call takes as long as the timeout. */
const MAX_SILENT_CALLS = 2

/** The same for the service as a whole, in a row. */
const MAX_SILENT_IN_A_ROW = 3

export type Service = ReturnType<typeof connect>

/** Sends requests one after the other, and gives up on a service that no longer responds. */
export function connect(options: ServiceOptions, signal?: AbortSignal, onDifference?: (found: Difference) => void) {
  const silentCalls = new Map<OperationId, number>()
  let silentInARow = 0
  const isSilent = (): boolean => silentInARow >= MAX_SILENT_IN_A_ROW
  const throwIfStopped = (): void => {
    if (signal?.aborted) throw new CannotCheck(STOPPED)
  }

  return {
    throwIfStopped,
    /** The service has not responded to the last few requests. */
    isSilent,
    /**
     * `operation` is undefined for a request that no operation receives. With `mustFinish`, the signal does not abort it:
     * an aborted request might create a record without our knowing.
     */
    async send(
      operation: OperationId | undefined,
      request: OutgoingRequest,
      mustFinish = false,
    ): Promise<ServiceResponse> {
      if (!mustFinish) throwIfStopped()
      if (isSilent()) throw new CannotCheck(SILENT)
      const calls = operation === undefined ? 0 : (silentCalls.get(operation) ?? 0)
      if (calls >= MAX_SILENT_CALLS) throw new CannotCheck(`needs ${operation}, which does not respond`)
      try {
        const response = await exchange(options, request, mustFinish ? undefined : signal)
        silentInARow = 0
        return response
      } catch (error) {
        if (!mustFinish) throwIfStopped()
        silentInARow += 1
        if (operation === undefined) throw error
        silentCalls.set(operation, calls + 1)
        const sent = `${request.method} ${request.target}`
        const received = (error as NoResponse).message
        onDifference?.({ operation, aspect: 'response', sent, expected: 'a response', received })
        throw error
      }
    },
  }
}

async function exchange(options: ServiceOptions, request: OutgoingRequest, signal?: AbortSignal) {
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
    return { status: response.status, headers: response.headers, text, value: readJson(text), sent }
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

export const JSON_TYPE = 'application/json'

export function toGet(target: string): OutgoingRequest {
  return { method: 'GET', target, headers: { Accept: JSON_TYPE } }
}

/** Undefined for what is not JSON. */
export function readJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** With the code of an error, which says most about what the service made of the request. */
export function describeStatus(response: ServiceResponse): string {
  const code = memberOf(response, 'code')
  const { status } = response
  return status >= 400 && typeof code === 'string' ? `${status} ${quote(code).slice(1, -1)}` : String(status)
}

export const isRedirect = ({ status }: Pick<ServiceResponse, 'status'>): boolean => status >= 300 && status < 400

/** Where a redirect leads, after `before`; empty if it does not say. Without the query, which may hold a secret. */
export function redirectTarget({ headers }: ServiceResponse, before: string): string {
  const location = headers.get('Location')
  if (location === null || !URL.canParse(location)) return ''
  const { origin, pathname } = new URL(location)
  return `${before}${origin}${pathname}`
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** A member of the JSON object in a response. */
export function memberOf({ value }: ServiceResponse, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}

/** The result, or the error if the service did not respond. */
export function orGivenUp<T>(result: Promise<T>): Promise<T | CannotCheck> {
  return result.catch((error: unknown) => {
    if (error instanceof CannotCheck) return error
    throw error
  })
}

/** The objects in a list; none if it cannot be read. */
export async function readItems({ send }: Service, list: OperationId, target: string) {
  const response = await orGivenUp(send(list, toGet(target), true))
  return response instanceof CannotCheck || !isSuccess(response) ? [] : objectsIn(response.value)
}

export function objectsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
