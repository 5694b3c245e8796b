import { parseJson } from '../../lib/json.js'
import { findExcess } from '../../lib/json-size.js'
import type { Contract } from '../contract/contract.js'
import type { PlainRequest, PlainResponse } from '../contract/messages.js'
import { readPath, readQuery } from '../contract/parameters.js'
import { parsePath, parseQuery, type QueryValues } from '../contract/target.js'
import type { JournalEntry, JournalMessage, RawEntry } from './journal.js'
import { attachSent, sentOf } from './sent.js'

/** How much of a body is stored. */
const MAX_BODY = 65_536

/** Approximate memory of an entry without its path, headers and bodies. */
const BASE_BYTES = 500

/** Cuts bodies that are too long, and estimates how much memory the entry takes. */
export function toStored(entry: Omit<RawEntry, 'bytes' | 'cut'>): RawEntry {
  const { request, response } = entry
  const inRequest = sizeOf(request.body)
  const inResponse = sizeOf(response.body)
  const bodies = Math.min(inRequest, MAX_BODY) + Math.min(inResponse, MAX_BODY)
  // Link is the only response header that can be long.
  const headers = sizeOfHeaders(request.headers) + (response.headers.Link?.length ?? 0)
  const bytes = BASE_BYTES + request.path.length + request.query.length + headers + bodies
  const { id, at, durationMs, trace } = entry
  const cut = { request: inRequest > MAX_BODY, response: inResponse > MAX_BODY }
  if (!cut.request && !cut.response) return { id, at, durationMs, request, response, trace, bytes }
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

/** A real copy: a slice of a string or a Buffer would keep all of it in memory. */
function copyStart(body: Uint8Array | string): Uint8Array | string {
  if (typeof body === 'string') return new TextDecoder().decode(new TextEncoder().encode(body.slice(0, MAX_BODY)))
  return new Uint8Array(body.subarray(0, MAX_BODY))
}

/** The request's headers including secrets: for comparing, never for display. */
export function sentHeadersOf(entry: {
  readonly request: Pick<JournalMessage<unknown>, 'headers'>
}): Readonly<Record<string, string>> {
  const sent = sentOf(entry)
  return sent === undefined ? entry.request.headers : readHeaders(sent.request.headers)
}

export function renderEntry(raw: RawEntry, contract: Contract): JournalEntry {
  const { id, at, durationMs, request, response, trace, cut } = raw
  const { operation, violation, fault } = trace
  const entry = {
    id,
    at: new Date(at).toISOString(),
    method: request.method,
    path: request.path,
    ...(operation !== undefined && { operation }),
    ...readParameters(request, contract),
    status: response.status,
    durationMs: Math.round(durationMs * 1000) / 1000,
    ...(fault !== undefined && { fault }),
    ...(violation !== undefined && { violations: [violation] }),
    request: renderMessage(readHeaders(request.headers), textOf(request.body), cut?.request, MAX_VALUES),
    response: renderMessage(readHeaders(response.headers), response.body, cut?.response),
  } as JournalEntry
  attachSent(entry, { request, response })
  return entry
}

/** Lenient: invalid parameters are shown as they were sent. */
function readParameters(request: PlainRequest, contract: Contract): { params: object; query: object } {
  const given = orElse<QueryValues>(() => parseQuery(request.query), new Map())
  const texts = Object.fromEntries(
    Array.from(given, ([name, values]) => [name, values.length === 1 ? values[0] : [...values]]),
  )
  const operation = orElse(() => contract.matchOperation(request), undefined)
  if (operation === undefined) return { params: {}, query: texts }
  const declared = operation.queryParameters.filter(({ name }) => given.has(name))
  const read = orElse(() => readQuery(declared, given, false), {})
  return { params: readPath(operation.pathParameters, parsePath(request.path)), query: { ...texts, ...read } }
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

const SECRETS = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']

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

/** The parsed JSON; the text when it is not JSON, too deep, or too large to parse at every look at the journal. */
function readBody(text: string, maxJsonValues: number): unknown {
  const isTooLarge = findExcess(text, { maxJsonDepth: MAX_LEVELS, maxJsonValues }) !== undefined
  return isTooLarge ? text : orElse(() => parseJson(text), text)
}

const MAX_LEVELS = 100

/** Far more than valid request bodies have. */
const MAX_VALUES = 500
