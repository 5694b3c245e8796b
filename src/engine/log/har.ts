import { version } from '../../generated/lib/version.js'
import { HIDDEN } from '../../http/header-rules.js'
import { reasonOfStatus } from '../../http/statuses.js'
import { stringifyJson } from '../../lib/json.js'
import { toBase64 } from '../../lib/text.js'
import { isBytes } from '../../lib/values.js'
import { hideInQuery, type JournalEntry, type JournalMessage, sentOf } from './journal-entry.js'

type Message = JournalMessage<unknown>

/** Requests and responses in the format HAR 1.2, which browsers' developer tools can open. */
export interface Har {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly entries: readonly HarEntry[]
  }
}

export type HarEntry = Readonly<ReturnType<typeof toHarEntry>>

/** Secrets that are hidden in the entries stay hidden. */
export function toHar(entries: readonly JournalEntry[]): Har {
  return {
    log: {
      version: '1.2',
      creator: { name: 'petstore-mock', version },
      entries: entries.map((entry) => toHarEntry(entry)),
    },
  }
}

/** All times are in milliseconds. */
function toHarEntry(entry: JournalEntry) {
  const { at, durationMs } = entry
  return {
    startedDateTime: at,
    time: durationMs,
    request: toHarRequest(entry),
    response: toHarResponse(entry),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  }
}

function toHarRequest(entry: JournalEntry) {
  const { method, path, protocol, request } = entry
  const sent = sentOf(entry)?.request
  const hidden = Object.entries(entry.query).flatMap(([name, value]) => (value === HIDDEN ? [name] : []))
  const query = sent ? hideInQuery(sent.query, { headers: [], query: hidden }) : stringifyQuery(entry.query)
  const text = textOf(request, sent?.body)
  // The path of `OPTIONS *` has no slash.
  const address = `${originOf(entry)}${sent?.base ?? ''}${path.startsWith('/') ? '' : '/'}${path}`
  return {
    method,
    url: query === '' ? address : `${address}?${query}`,
    httpVersion: versionOf(protocol),
    // Cookies are secret.
    cookies: [],
    headers: toPairs(Object.entries(request.headers)),
    queryString: toPairs(new URLSearchParams(query)),
    ...(text !== undefined && { postData: { mimeType: mimeTypeOf(request), text, ...commentOn(request) } }),
    headersSize: -1,
    bodySize: sent?.body === 'too large' ? announcedSize(request) : sizeOf(request, text),
  }
}

function toHarResponse(entry: JournalEntry) {
  const { status, protocol, response } = entry
  const { body, bytes } = sentOf(entry)?.response ?? {}
  const text = textOf(response, body)
  const size = bytes && !response.cut ? bytes.length : sizeOf(response, text)
  const content = bytes ? { text: toBase64(bytes), encoding: 'base64' } : { ...(text !== undefined && { text }) }
  const error = errorOf(entry)
  return {
    status,
    statusText: reasonOfStatus(status),
    httpVersion: status === 0 ? '' : versionOf(protocol),
    cookies: [],
    headers: toPairs(Object.entries(response.headers)),
    content: { size, mimeType: mimeTypeOf(response), ...content, ...commentOn(response) },
    redirectURL: '',
    headersSize: -1,
    bodySize: status === 0 ? -1 : size,
    // Browsers use the same field.
    ...(error !== undefined && { _error: error }),
  }
}

function versionOf(protocol: JournalEntry['protocol']): string {
  return protocol === 'HTTP/2' ? 'HTTP/2' : 'HTTP/1.1'
}

/** Without a network there is no scheme, nor a host if the client did not send it. */
function originOf({ protocol, request }: JournalEntry): string {
  const { host = '' } = request.headers
  return `${protocol === undefined ? 'http' : 'https'}://${/^[\w.:[\]-]+$/.test(host) ? host : 'localhost'}`
}

function toPairs(entries: Iterable<readonly [string, string]>) {
  return Array.from(entries, ([name, value]) => ({ name, value }))
}

/** For a copy of an entry, which has only the parsed values. */
function stringifyQuery(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)]))
  return new URLSearchParams(pairs).toString()
}

/** As it was sent; for a copy of an entry, the JSON of the parsed body. */
function textOf({ body }: Message, sent: Uint8Array | string | undefined): string | undefined {
  if (isBytes(sent)) return new TextDecoder().decode(sent)
  if (sent !== undefined && sent !== 'too large') return sent
  return typeof body === 'string' ? body : stringifyJson(body)
}

function sizeOf(message: Message, text: string | undefined): number {
  if (message.cut) return announcedSize(message)
  return text === undefined ? 0 : new TextEncoder().encode(text).length
}

function announcedSize({ headers }: Message): number {
  const { 'content-length': length = '' } = headers
  return /^\d+$/.test(length) ? Number(length) : -1
}

function mimeTypeOf({ headers }: Message): string {
  return headers['content-type'] ?? 'x-unknown'
}

function commentOn({ cut }: Message): { comment?: string } {
  return cut ? { comment: 'Too long: only the start was recorded.' } : {}
}

function errorOf({ status, fault, pending }: JournalEntry): string | undefined {
  if (pending) return 'no response was sent yet'
  const cause = fault === undefined ? '' : ` (fault: ${fault.kind})`
  if (status === 0) return `no response was sent${cause}`
  return fault?.kind === 'truncate' ? `the response broke off in the middle of its body${cause}` : undefined
}
