import type { OutgoingRequest } from '../../http/messages.js'
import { explainConnectionError } from '../../lib/environment.js'
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
    throw new NoResponse(
      timeout.signal.aborted ? `no response within ${timeoutMs} ms` : explainConnectionError(error, '--ca <file>'),
    )
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

/** A header that every request has, unless the user gives another one. */
function isOrdinary(name: string, value: string): boolean {
  return /^(?:Accept|Content-Type)$/.test(name) && value === JSON_TYPE
}

/** A request in one line, without the headers that every request has. */
export function describeRequest({ method, target, headers, body }: OutgoingRequest): string {
  const shown = Object.entries(headers).filter(([name, value]) => !isOrdinary(name, value))
  const listed = shown.map(([name, value]) => `${name}: ${value}`).join(', ')
  const content = typeof body === 'string' ? body || '(empty body)' : body && `(${body.length} bytes)`
  return [method, target, content, listed && `(${listed})`].filter(Boolean).join(' ')
}
