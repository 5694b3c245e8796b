import { parseJson } from '../../lib/json.js'
import { findExcess } from '../../lib/json-size.js'
import type { Contract } from '../contract/contract.js'
import type { PlainRequest, PlainResponse } from '../contract/messages.js'
import { readPath, readQuery } from '../contract/parameters.js'
import { parsePath, parseQuery, type QueryValues } from '../contract/target.js'
import type { StoreOperationId } from '../contract/types.js'
import type { JournalEntry, JournalMessage, RawEntry } from './journal.js'
import { rememberSent, sentOf } from './sent.js'

/** How much of a body is kept, so that a journal full of the largest ones still fits. */
const MAX_KEPT = 65_536

/** About what keeping an entry takes besides what its client can make longer. */
const LEAST_BYTES = 500

/** The entry with no more of its bodies than is kept. */
export function toKept(entry: Omit<RawEntry, 'bytes' | 'cut'>): RawEntry {
  const { request, response } = entry
  const inRequest = sizeOf(request.body)
  const inResponse = sizeOf(response.body)
  const bodies = Math.min(inRequest, MAX_KEPT) + Math.min(inResponse, MAX_KEPT)
  // Of the headers of an answer only its links can become long.
  const headers = sizeOfHeaders(request.headers) + (response.headers.Link?.length ?? 0)
  const bytes = LEAST_BYTES + request.path.length + request.query.length + headers + bodies
  const { id, at, durationMs } = entry
  const cut = { request: inRequest > MAX_KEPT, response: inResponse > MAX_KEPT }
  if (!cut.request && !cut.response) return { id, at, durationMs, request, response, bytes }
  return {
    ...{ ...entry, bytes, cut },
    request: cut.request ? shorten(request) : request,
    response: cut.response ? shorten(response) : response,
  }
}

function sizeOfHeaders(headers: PlainRequest['headers']): number {
  let size = 0
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0)
  return size
}

function sizeOf(body: { readonly length: number } | undefined): number {
  return body?.length ?? 0
}

function shorten<Message extends PlainRequest | PlainResponse>(message: Message): Message {
  const { body } = message
  return body === undefined ? message : { ...message, body: copyStart(body) }
}

/** A true copy: what a slice of a text, or of a Buffer, gives keeps all of it in memory. */
function copyStart(body: Uint8Array | string): Uint8Array | string {
  if (typeof body === 'string') return new TextDecoder().decode(new TextEncoder().encode(body.slice(0, MAX_KEPT)))
  return new Uint8Array(body.subarray(0, MAX_KEPT))
}

/** The headers of a request as they were sent, secrets and all: for comparing, not for showing. */
export function sentHeadersOf(entry: JournalEntry): Readonly<Record<string, string>> {
  const sent = sentOf(entry)
  return sent === undefined ? entry.request.headers : readHeaders(sent.request.headers)
}

export function renderEntry(raw: RawEntry, contract: Contract): JournalEntry {
  const { id, at, durationMs, request, response, cut } = raw
  const { violation, fault } = response
  const entry = {
    id,
    at: new Date(at).toISOString(),
    method: request.method,
    path: request.path,
    ...(response.operation !== undefined && { operation: response.operation as StoreOperationId }),
    ...readParameters(request, contract),
    status: response.status,
    durationMs: Math.round(durationMs * 1000) / 1000,
    ...(fault !== undefined && { fault }),
    ...(violation !== undefined && { violations: [violation] }),
    request: renderMessage(readHeaders(request.headers), textOf(request.body), cut?.request, MAX_VALUES),
    response: renderMessage(readHeaders(response.headers), response.body, cut?.response),
  } as JournalEntry
  rememberSent(entry, { request, response })
  return entry
}

/** Lenient: what cannot be read as the document wants it was refused, and is shown as it was sent. */
function readParameters({ path, query, method }: PlainRequest, contract: Contract): { params: object; query: object } {
  const given = orElse<QueryValues>(() => parseQuery(query), new Map())
  const texts = Object.fromEntries(
    Array.from(given, ([name, values]) => [name, values.length === 1 ? values[0] : [...values]]),
  )
  const match = contract.match(orElse(() => parsePath(path), []))
  const operation = match && contract.operation(match, method === 'HEAD' ? 'GET' : method)
  if (match === undefined || operation === undefined) return { params: {}, query: texts }
  const declared = operation.queryParameters.filter(({ name }) => given.has(name))
  const read = orElse(() => readQuery(declared, given, false), {})
  return { params: readPath(operation.pathParameters, match.values), query: { ...texts, ...read } }
}

function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

function textOf(body: PlainRequest['body']): string | undefined {
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : undefined
}

const SECRETS = ['authorization', 'cookie', 'x-api-key']

function readHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)]))
}

function renderMessage(
  headers: Readonly<Record<string, string>>,
  text: string | undefined,
  cut: boolean | undefined,
  maxJsonValues = Number.POSITIVE_INFINITY,
): JournalMessage<unknown> {
  const shown = Object.entries(headers).map(([name, value]) => [name, SECRETS.includes(name) ? '(hidden)' : value])
  return {
    headers: Object.fromEntries(shown),
    ...(text !== undefined && { body: cut ? text : readBody(text, maxJsonValues) }),
    ...(cut && { cut }),
  }
}

/** The value of a JSON body; the text of one that is no JSON, too deep to be written again, or too much to be read. */
function readBody(text: string, maxJsonValues: number): unknown {
  const isTooMuch = findExcess(text, { maxJsonDepth: MAX_LEVELS, maxJsonValues }) !== undefined
  return isTooMuch ? text : orElse(() => parseJson(text), text)
}

const MAX_LEVELS = 100

/** No body of the document has nearly as many: what a client sends besides is not worth reading a journal for long. */
const MAX_VALUES = 500
