import { Blob } from 'node:buffer'
import { stringify } from 'node:querystring'
import { buffer } from 'node:stream/consumers'

/** The options of a dispatch that describe its request. */
export interface DispatchOptions {
  readonly origin?: string | URL
  readonly path: string
  readonly method: string
  readonly query?: Record<string, string>
  readonly headers?: Iterable<unknown> | Record<string, unknown> | null
  readonly body?: unknown
  /** Milliseconds to wait for the response's headers and for each part of its body; 0 waits forever. */
  readonly headersTimeout?: number | null
  readonly bodyTimeout?: number | null
}

/** The handler API of undici 7 and 8. */
export interface DispatchHandler {
  onRequestStart?(controller: Controller, context: object): void
  onResponseStart?(controller: Controller, status: number, headers: object, statusText: string): void
  onResponseData?(controller: Controller, chunk: Buffer): void
  onResponseEnd?(controller: Controller, trailers: object): void
  onResponseError?(controller: Controller, error: unknown): void
}

/** The handler API of undici 6, which 7 also accepts. */
export interface LegacyHandler {
  onConnect?(abort: (reason?: unknown) => void, context: object): void
  onHeaders?(status: number, rawHeaders: readonly Buffer[], resume: () => void, statusText: string): unknown
  onData?(chunk: Buffer): unknown
  onComplete?(trailers: readonly Buffer[]): void
  onError?(error: unknown): void
}

export function toDispatchHandler(handler: DispatchHandler & LegacyHandler): DispatchHandler {
  if (typeof handler.onRequestStart === 'function') return handler
  return {
    onRequestStart: ({ abort }, context) => handler.onConnect?.(abort, context),
    onResponseStart: ({ rawHeaders, resume }, status, _headers, statusText) =>
      void handler.onHeaders?.(status, rawHeaders, resume, statusText),
    onResponseData: (_controller, chunk) => void handler.onData?.(chunk),
    onResponseEnd: () => handler.onComplete?.([]),
    onResponseError: (_controller, error) => handler.onError?.(error),
  }
}

/** Pausing has no effect: a response is small enough to be buffered. */
export class Controller {
  readonly #aborter = new AbortController()
  readonly signal = this.#aborter.signal
  readonly paused = false
  rawHeaders: readonly Buffer[] = []
  readonly abort = (reason?: unknown) => this.#aborter.abort(reason)
  readonly pause = () => {}
  readonly resume = () => {}

  get aborted(): boolean {
    return this.signal.aborted
  }

  get reason(): unknown {
    return this.signal.reason
  }
}

/** Returns undefined for a dispatch without a usable address, or with a method that a `Request` cannot have. */
export function toUrl({ origin, path, method, query }: DispatchOptions): string | undefined {
  if (!URL.canParse(String(origin)) || /^(connect|trace|track)$/i.test(method)) return undefined
  // Not resolved against the origin, because `//other.example/` is a path here. A request to a proxy has a whole URL.
  const url = path.startsWith('/') ? new URL(String(origin)).origin + path : path
  return URL.canParse(url) ? new URL(query ? `${url}?${stringify(query)}` : url).href : undefined
}

export function toRequest(url: string, { method, headers }: DispatchOptions, body?: Buffer | FormData | Blob): Request {
  const hasBody = body !== undefined && !/^(get|head)$/i.test(method)
  return new Request(url, { method, headers: toPairs(headers ?? {}), ...(hasBody && { body: body as BodyInit }) })
}

/** undici accepts headers as an object, as pairs, or as a flat list of names and values. */
function toPairs(headers: Iterable<unknown> | Record<string, unknown>): [string, string][] {
  const given: unknown[] = Symbol.iterator in headers ? [...(headers as Iterable<unknown>)] : Object.entries(headers)
  const pairs = given.every(Array.isArray) ? given : given.flatMap((name, i) => (i % 2 ? [] : [[name, given[i + 1]]]))
  return pairs.flatMap(([name, values]) =>
    [values].flat().flatMap((value): [string, string][] => (value === undefined ? [] : [[name, String(value ?? '')]])),
  )
}

/** Returns text as bytes, because a `Request` adds a Content-Type to text. Like undici, it adds that of a blob. */
export async function readBody(body: unknown): Promise<Buffer | FormData | Blob | undefined> {
  if (body === undefined || body === null) return undefined
  if (isForm(body)) return toNodeForm(body)
  if (body instanceof Blob) return body
  if (isStream(body)) return buffer(body)
  return Buffer.from(await new Response(body as BodyInit).arrayBuffer())
}

function isStream(body: unknown): body is AsyncIterable<string | Uint8Array> {
  if (typeof body !== 'object' || body === null || ArrayBuffer.isView(body)) return false
  return Symbol.asyncIterator in body || Symbol.iterator in body
}

function isForm(body: unknown): body is FormData {
  return Object.prototype.toString.call(body) === '[object FormData]'
}

/** The undici package has its own FormData class, which Node's `Request` does not know. */
function toNodeForm(form: FormData): FormData {
  const copy = new FormData()
  for (const [name, value] of form) copy.append(name, value)
  return copy
}

export function toRawHeaders(headers: Headers): Buffer[] {
  return [...headers].flat().map((text) => Buffer.from(text, 'latin1'))
}

export function toHeaderObject(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  return { ...Object.fromEntries(headers), ...(cookies.length > 1 && { 'set-cookie': cookies }) }
}
