import { stringify } from 'node:querystring'

/** What undici hands to a dispatcher, in the parts that make a request. */
export interface DispatchOptions {
  readonly origin?: string | URL
  readonly path: string
  readonly method: string
  readonly query?: Record<string, string>
  readonly headers?: Iterable<unknown> | Record<string, unknown> | null
  readonly body?: unknown
  /** How long to wait for the head of the answer, and for each part of its body: for good where it is 0. */
  readonly headersTimeout?: number | null
  readonly bodyTimeout?: number | null
}

/** What undici wants to be told of the answer: the first five by version 6 and 7, the others by 7 and 8. */
export interface DispatchHandler {
  onConnect?(abort: (reason?: unknown) => void, context: object): void
  onHeaders?(status: number, rawHeaders: Buffer[], resume: () => void, statusText: string): unknown
  onData?(chunk: Buffer): unknown
  onComplete?(trailers: Buffer[]): void
  onError?(error: unknown): void
  onRequestStart?(controller: object, context: object): void
  onResponseStart?(controller: object, status: number, headers: object, statusText: string): void
  onResponseData?(controller: object, chunk: Buffer): void
  onResponseEnd?(controller: object, trailers: object): void
  onResponseError?(controller: object, error: unknown): void
}

/** Headers that fetch writes itself, and refuses from others. */
const OF_CONNECTION = /^(connection|content-length|keep-alive|transfer-encoding|upgrade)$/i

/** Encodings of which fetch gives out what is inside, but leaves the header. */
const DECODED = /\b(gzip|deflate|br|zstd)\b/i

/** The address of a request; undefined where it has none, or is one that fetch does not make. */
export function addressOf({ origin, path, method, query }: DispatchOptions): string | undefined {
  if (!URL.canParse(String(origin)) || /^(connect|trace|track)$/i.test(method)) return undefined
  // Put together, not resolved: `//other.example/` is a path here. What is sent to a proxy has a whole address instead.
  const url = path.startsWith('/') ? new URL(String(origin)).origin + path : path
  return URL.canParse(url) ? new URL(query ? `${url}?${stringify(query)}` : url).href : undefined
}

/** The same request for fetch, which sends no body with some methods. */
export function toInit({ method, headers }: DispatchOptions, body: Buffer | FormData | undefined): RequestInit {
  const hasBody = body !== undefined && !/^(get|head)$/i.test(method)
  return { method, headers: toPairs(headers ?? {}), redirect: 'manual', ...(hasBody && { body: body as BodyInit }) }
}

/** As bytes, for which fetch makes up no type; a form has its own. */
export async function readBody(body: unknown): Promise<Buffer | FormData | undefined> {
  if (body === undefined || body === null) return undefined
  if (isForm(body)) return copy(body)
  const isWhole = typeof body === 'string' || ArrayBuffer.isView(body) || !isIterable(body)
  if (isWhole) return Buffer.from(await new Response(body as BodyInit).arrayBuffer())
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  return Buffer.concat(chunks)
}

/** Tells a handler of either kind what happens, until it gives up. */
export function tell(handler: DispatchHandler, aborter: AbortController) {
  const { signal } = aborter
  const abort = (reason?: unknown) => aborter.abort(reason)
  // An answer is small enough to be kept while its reader pauses.
  const [pause, resume] = [() => {}, () => {}]
  const controller = {
    get aborted() {
      return signal.aborted
    },
    get reason(): unknown {
      return signal.reason
    },
    ...{ paused: false, rawHeaders: [] as Buffer[], pause, resume, abort },
  }
  const steps =
    typeof handler.onRequestStart === 'function'
      ? {
          start: () => handler.onRequestStart?.(controller, {}),
          head({ status, statusText }: Response, pairs: [string, string][]) {
            controller.rawHeaders = toRaw(pairs)
            handler.onResponseStart?.(controller, status, group(pairs), statusText)
          },
          data: (body: Buffer) => handler.onResponseData?.(controller, body),
          end: () => handler.onResponseEnd?.(controller, {}),
          fail: (error: unknown) => handler.onResponseError?.(controller, error),
        }
      : {
          start: () => handler.onConnect?.(abort, {}),
          head({ status, statusText }: Response, pairs: [string, string][]) {
            handler.onHeaders?.(status, toRaw(pairs), resume, statusText)
          },
          data: (body: Buffer) => handler.onData?.(body),
          end: () => handler.onComplete?.([]),
          fail: (error: unknown) => handler.onError?.(error),
        }
  return {
    ...steps,
    async answer(response: Response, patience: Patience): Promise<void> {
      signal.throwIfAborted()
      const isDecoded = DECODED.test(response.headers.get('content-encoding') ?? '')
      const isTrue = ([name]: [string, string]) => !isDecoded || !/^content-(encoding|length)$/.test(name)
      steps.head(response, [...response.headers].filter(isTrue))
      signal.throwIfAborted()
      patience.forPart()
      for await (const part of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
        steps.data(Buffer.from(part))
        signal.throwIfAborted()
        patience.forPart()
      }
      steps.end()
    },
  }
}

export interface Patience {
  forHead(): void
  forPart(): void
  end(): void
}

/** Gives up where what comes next does not come within the time that the request gives it. */
export function createPatience({ headersTimeout, bodyTimeout }: DispatchOptions, aborter: AbortController): Patience {
  let timer: NodeJS.Timeout | undefined
  const wait = (part: 'Headers' | 'Body', milliseconds: number | null | undefined) => {
    clearTimeout(timer)
    if (!milliseconds) return
    const error = new Error(`${part} Timeout Error`)
    const named = { name: `${part}TimeoutError`, code: `UND_ERR_${part.toUpperCase()}_TIMEOUT` }
    timer = setTimeout(() => aborter.abort(Object.assign(error, named)), milliseconds)
  }
  return {
    forHead: () => wait('Headers', headersTimeout),
    forPart: () => wait('Body', bodyTimeout),
    end: () => clearTimeout(timer),
  }
}

function toRaw(pairs: readonly [string, string][]): Buffer[] {
  return pairs.flat().map((text) => Buffer.from(text, 'latin1'))
}

function isIterable(body: unknown): body is AsyncIterable<string | Uint8Array> {
  return typeof body === 'object' && body !== null && (Symbol.asyncIterator in body || Symbol.iterator in body)
}

/** The package has a class of its own, which Node's fetch does not know. */
function isForm(body: unknown): body is FormData {
  return Object.prototype.toString.call(body) === '[object FormData]'
}

function copy(form: FormData): FormData {
  const result = new FormData()
  for (const [name, value] of form) result.append(name, value)
  return result
}

/** undici takes an object, pairs, or names and values in turn. */
function toPairs(headers: Iterable<unknown> | Record<string, unknown>): [string, string][] {
  const given: unknown[] = Symbol.iterator in headers ? [...(headers as Iterable<unknown>)] : Object.entries(headers)
  const pairs = given.every(Array.isArray) ? given : given.flatMap((name, i) => (i % 2 ? [] : [[name, given[i + 1]]]))
  const ofRequest = pairs.filter(([name]) => !OF_CONNECTION.test(String(name)))
  return ofRequest.flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((each): [string, string][] => (each === undefined ? [] : [[String(name), String(each ?? '')]])),
  )
}

/** A name that comes more than once has a list. */
function group(pairs: readonly [string, string][]): Record<string, string | string[]> {
  const groups: Record<string, string | string[]> = {}
  for (const [name, value] of pairs) {
    const before = groups[name]
    groups[name] = before === undefined ? value : [before, value].flat()
  }
  return groups
}
