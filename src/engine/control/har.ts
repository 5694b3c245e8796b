import { version } from '../../lib/generated/version.js'
import { stringifyJson } from '../../lib/json.js'
import type { AppliedFault } from '../contract/messages.js'
import { sentOf } from './sent.js'

/** An archive of exchanges in the format HAR 1.2, which browsers' developer tools and many others read. */
export interface Har {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly entries: readonly HarEntry[]
  }
}

export interface HarEntry {
  readonly startedDateTime: string
  /** In milliseconds, like everything here. */
  readonly time: number
  readonly request: HarRequest
  readonly response: HarResponse
  readonly cache: Readonly<Record<string, never>>
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number }
}

export interface HarPair {
  readonly name: string
  readonly value: string
}

interface HarMessage {
  readonly httpVersion: string
  /** Always empty: what is in cookies is secret. */
  readonly cookies: readonly never[]
  readonly headers: readonly HarPair[]
  /** -1 where it is not known. */
  readonly headersSize: number
  readonly bodySize: number
}

export interface HarRequest extends HarMessage {
  readonly method: string
  readonly url: string
  readonly queryString: readonly HarPair[]
  readonly postData?: { readonly mimeType: string; readonly text: string; readonly comment?: string }
}

export interface HarResponse extends HarMessage {
  /** 0 where nothing was answered. */
  readonly status: number
  readonly statusText: string
  readonly content: {
    readonly size: number
    readonly mimeType: string
    readonly text?: string
    readonly comment?: string
  }
  readonly redirectURL: string
  /** Why the answer did not arrive, or not all of it, as browsers note it. */
  readonly _error?: string
}

/** What an archive is made of: an entry of the journal, told here, since the journal makes archives and not they it. */
export interface Archivable {
  readonly at: string
  readonly method: string
  readonly path: string
  readonly query: object
  readonly status: number
  readonly durationMs: number
  readonly fault?: AppliedFault
  readonly request: ArchivableMessage
  readonly response: ArchivableMessage
}

interface ArchivableMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly cut?: true
}

/** What is hidden in the entries stays hidden. */
export function toHar(entries: readonly Archivable[]): Har {
  return { log: { version: '1.2', creator: { name: 'petstore-mock', version }, entries: entries.map(toHarEntry) } }
}

function toHarEntry(entry: Archivable): HarEntry {
  const { at, durationMs } = entry
  return {
    startedDateTime: new Date(Date.parse(at) - durationMs).toISOString(),
    time: durationMs,
    request: toHarRequest(entry),
    response: toHarResponse(entry),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  }
}

function toHarRequest(entry: Archivable): HarRequest {
  const { method, path, request } = entry
  const sent = sentOf(entry)?.request
  const query = sent?.query ?? spellQuery(entry.query)
  const text = textOf(request, sent?.body)
  // `OPTIONS *` has a path that is none.
  const address = `${originOf(request)}${sent?.base ?? ''}${path.startsWith('/') ? '' : '/'}${path}`
  return {
    method,
    url: query === '' ? address : `${address}?${query}`,
    httpVersion: HTTP_VERSION,
    cookies: [],
    headers: toPairs(Object.entries(request.headers)),
    queryString: toPairs(new URLSearchParams(query)),
    ...(text !== undefined && { postData: { mimeType: mimeTypeOf(request), text, ...commentOn(request) } }),
    headersSize: -1,
    bodySize: sent?.body === 'too large' ? announcedSize(request) : sizeOf(request, text),
  }
}

function toHarResponse(entry: Archivable): HarResponse {
  const { status, response } = entry
  const text = textOf(response, sentOf(entry)?.response.body)
  const size = sizeOf(response, text)
  const error = errorOf(entry)
  return {
    status,
    statusText: REASONS[status] ?? '',
    httpVersion: status === 0 ? '' : HTTP_VERSION,
    cookies: [],
    headers: toPairs(Object.entries(response.headers)),
    content: { size, mimeType: mimeTypeOf(response), ...(text !== undefined && { text }), ...commentOn(response) },
    redirectURL: '',
    headersSize: -1,
    bodySize: status === 0 ? -1 : size,
    ...(error !== undefined && { _error: error }),
  }
}

const HTTP_VERSION = 'HTTP/1.1'

/** The journal knows neither the scheme nor, where the client did not name it, the host. */
function originOf({ headers }: ArchivableMessage): string {
  const { host = '' } = headers
  return `http://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`
}

function toPairs(entries: Iterable<readonly [string, string]>): HarPair[] {
  return Array.from(entries, ([name, value]) => ({ name, value }))
}

/** For an entry of which only the values are known. */
function spellQuery(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)]))
  return new URLSearchParams(pairs).toString()
}

/** As it was sent; where only the value is known, its JSON with every digit. */
function textOf({ body }: ArchivableMessage, sent: Uint8Array | string | undefined): string | undefined {
  if (sent instanceof Uint8Array) return new TextDecoder().decode(sent)
  if (sent !== undefined && sent !== 'too large') return sent
  return typeof body === 'string' ? body : stringifyJson(body)
}

function sizeOf(message: ArchivableMessage, text: string | undefined): number {
  if (message.cut) return announcedSize(message)
  return text === undefined ? 0 : new TextEncoder().encode(text).length
}

function announcedSize({ headers }: ArchivableMessage): number {
  const { 'content-length': length = '' } = headers
  return /^\d+$/.test(length) ? Number(length) : -1
}

function mimeTypeOf({ headers }: ArchivableMessage): string {
  return headers['content-type'] ?? 'x-unknown'
}

function commentOn({ cut }: ArchivableMessage): { comment?: string } {
  return cut ? { comment: 'too long to be kept: this is the beginning' } : {}
}

function errorOf({ status, fault }: Archivable): string | undefined {
  const cause = fault === undefined ? '' : ` (fault: ${fault.kind})`
  if (status === 0) return `no answer was sent${cause}`
  return fault?.kind === 'truncate' ? `the answer broke off in the middle of its body${cause}` : undefined
}

/** The reason phrases of RFC 9110 and its extensions, for the statuses of the contract and of faults. */
const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  302: 'Found',
  304: 'Not Modified',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  418: "I'm a Teapot",
  421: 'Misdirected Request',
  422: 'Unprocessable Entity',
  423: 'Locked',
  424: 'Failed Dependency',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
  507: 'Insufficient Storage',
  508: 'Loop Detected',
  511: 'Network Authentication Required',
}
