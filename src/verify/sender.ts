import { parseJson } from '../lib/json.js'

/** The platform's `fetch`, or anything like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

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
  /** The request, in one line. */
  readonly sent: string
}

/** The service did not respond, or not completely. The message says why, in a few words. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
}

export interface SenderOptions {
  readonly baseUrl: string
  readonly fetch: Fetch
  /** Sent with every request and never shown, since they may hold a secret. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly timeoutMs: number
}

export type Send = (request: OutgoingRequest, signal?: AbortSignal) => Promise<ServiceResponse>

/** Far more than any response of the document, so that a service which never stops sending does not fill the memory. */
const MAX_BYTES = 16 * 1024 * 1024

export function createSender({ baseUrl, fetch, headers: common, timeoutMs }: SenderOptions): Send {
  return async (request, signal) => {
    const headers = new Headers()
    for (const [name, value] of common) headers.append(name, value)
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, value)
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
      return { status: response.status, headers: response.headers, text, sent: describeRequest(request) }
    } catch (error) {
      if (error instanceof NoResponse) throw error
      throw new NoResponse(timeout.signal.aborted ? `no response within ${timeoutMs} ms` : explain(error))
    } finally {
      clearTimeout(timer)
    }
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    bytes += part.value.length
    if (bytes > MAX_BYTES) {
      await reader?.cancel()
      throw new NoResponse(`the response exceeds ${MAX_BYTES} bytes`)
    }
    text += decoder.decode(part.value, { stream: true })
  }
  return text + decoder.decode()
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'host name lookup failed',
  UND_ERR_SOCKET: 'connection closed',
}

/** `fetch` throws an error that only says that it failed; the reason is its innermost cause. */
function explain(error: unknown): string {
  let reason = error as { cause?: unknown; code?: unknown; message?: unknown } | undefined
  while (typeof reason?.cause === 'object' && reason.cause !== null) reason = reason.cause
  const code = String(reason?.code ?? '')
  return REASONS[code] ?? (String(reason?.message ?? '') || code || 'unknown reason')
}

/** A request in one line, without the headers that every request has. */
function describeRequest({ method, target, headers, body }: OutgoingRequest): string {
  const shown = Object.entries(headers).filter(([name, value]) => !isOrdinary(name, value))
  const listed = shown.map(([name, value]) => `${name}: ${value}`).join(', ')
  const content = typeof body === 'string' ? body || '(empty body)' : body && `(${body.length} bytes)`
  return [method, target, content, listed && `(${listed})`]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
}

function isOrdinary(name: string, value: string): boolean {
  return (name === 'Content-Type' || name === 'Accept') && value === 'application/json'
}

export function toGet(target: string): OutgoingRequest {
  return { method: 'GET', target, headers: { Accept: 'application/json' } }
}

/** Undefined for what is not JSON. */
export function readJson(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** A member of a JSON object in a response. */
export function readMember({ text }: ServiceResponse, name: string): unknown {
  const value = readJson(text)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
