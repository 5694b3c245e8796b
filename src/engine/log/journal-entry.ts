import type { Contract } from '../../document/contract/contract.js'
import type { AnyOperations, BodyOf, PathOf, QueryOf } from '../../document/schema/types.js'
import { readPath, readQuery } from '../../document/validate/parameters.js'
import type { KeyNames } from '../../document/validate/security.js'
import { SECRETS } from '../../document/words/headers.js'
import { HIDDEN } from '../../http/header-rules.js'
import type { AppliedFault, EncryptedProtocol, PassedRequest, PlainRequest } from '../../http/messages.js'
import { parsePath, parseQuery, type QueryValues } from '../../http/target.js'
import { parseJson } from '../../lib/json.js'
import { findExcess } from '../../lib/json-in-steps.js'
import { shareBetweenBuilds } from '../../lib/share-between-builds.js'
import { isBytes, orElse } from '../../lib/values.js'
import type { StoredEntry } from './stored-entry.js'

export const NO_KEYS: KeyNames = { headers: [], query: [] }

/** Without secrets. Addresses in other headers, such as `Link`, may have the query of the request. */
export function hideSecrets<Value>(
  headers: Readonly<Record<string, Value>>,
  keys = NO_KEYS,
): Record<string, Value | string> {
  const shown: Record<string, Value | string> = { ...headers }
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase()
    if (SECRETS.includes(lower) || keys.headers.includes(lower)) shown[name] = HIDDEN
    else if (typeof value === 'string') shown[name] = hideInQuery(value, keys)
  }
  return shown
}

/** A query, or a text with addresses, without the values of the keys. */
export function hideInQuery(text: string, { query }: KeyNames): string {
  if (query.length === 0) return text
  return text.replaceAll(/(?<=^|[?&])([^=&#?\s]+)=([^&#<>"\s]*)/g, (pair, name: string) =>
    query.includes(orElse(() => decodeURIComponent(name.replaceAll('+', ' ')), name)) ? `${name}=${HIDDEN}` : pair,
  )
}

/** A request and its response. */
export interface JournalEntry<Ops extends object = AnyOperations, O extends keyof Ops = keyof Ops> {
  /** Starts at 1. */
  readonly id: number
  /** When the request arrived, by the mock's clock. */
  readonly at: string
  readonly method: string
  /** As it was sent. */
  readonly path: string
  /** How an encrypted request reached the server. Missing for plain HTTP, and where there is no network. */
  readonly protocol?: EncryptedProtocol
  /** With the types that the OpenAPI document declares; undeclared and invalid values are text. */
  readonly query: QueryOf<Ops[O]>
  /** Missing when the request was not for an operation. */
  readonly operation?: O
  /** Whether the operation has no state: it was answered from the OpenAPI document alone. */
  readonly stateless?: true
  /** What the operation was understood as, if that was read from the document: `list`, `action`, `search`. */
  readonly meaning?: string
  /** The parameters in the path. */
  readonly params: PathOf<Ops[O]>
  /** Set while the response is delayed: it has no status yet, and its headers and body are missing. */
  readonly pending?: true
  /** 0 when nothing was sent, or not yet. */
  readonly status: number
  /** 0 while the response is pending. */
  readonly durationMs: number
  /** The fault that was applied, by a rule or by the client's `Prefer`. */
  readonly fault?: AppliedFault
  /** The id of the override that made the response. */
  readonly override?: number
  /** How the request violated the contract. It was rejected for that, unless it was passed through to the upstream. */
  readonly violations?: readonly string[]
  /** What became of a request that was passed through to the upstream. Missing if the mock alone has answered. */
  readonly upstream?: PassedRequest
  readonly request: JournalMessage<BodyOf<Ops[O]>>
  readonly response: JournalMessage<unknown>
}

export interface JournalMessage<Body> {
  /** Names are in lower case, secrets are hidden. */
  readonly headers: Readonly<Record<string, string>>
  /** The parsed JSON; text when it is not JSON, has more than 100 levels or, in a request, more than 500 values. */
  readonly body?: Body
  /** The body was too long: only the start of its text is stored. */
  readonly cut?: true
}

interface Exchange extends Pick<StoredEntry, 'request' | 'response'> {
  /** The query with the types that the OpenAPI document declares. */
  readonly query: object
}

/** Requests and responses as they were sent, apart from bodies that were cut. */
const exchanges = shareBetweenBuilds('exchanges', () => new WeakMap<object, Exchange>())

/** For comparing and HAR, never for display: it contains secrets. Undefined for a copy of an entry. */
export function sentOf(entry: object): Exchange | undefined {
  return exchanges.get(entry)
}

/** The request's headers including secrets: for comparing, never for display. */
export function sentHeadersOf(entry: { readonly request: JournalMessage<unknown> }): Readonly<Record<string, string>> {
  const sent = sentOf(entry)
  return sent === undefined ? entry.request.headers : lowerCaseNames(sent.request.headers)
}

/** The same for its query. */
export function sentQueryOf(entry: Pick<JournalEntry, 'query'>): object {
  return sentOf(entry)?.query ?? entry.query
}

export function renderEntry(raw: StoredEntry, contract: Contract): JournalEntry {
  const { id, at, isPending, durationMs, request, response, trace } = raw
  const { operation, stateless, meaning, violations, upstream, fault, override } = trace
  const { keyNames: keys } = contract
  const { params, query } = readParameters(request, contract)
  const entry = {
    id,
    at: new Date(at).toISOString(),
    method: request.method,
    path: request.path,
    ...(request.protocol !== undefined && { protocol: request.protocol }),
    ...(operation !== undefined && { operation }),
    ...(stateless && { stateless }),
    ...(meaning !== undefined && { meaning }),
    params,
    query: hideKeys(query, keys),
    ...(isPending && { pending: true }),
    status: response.status,
    durationMs: Math.round(durationMs * 1000) / 1000,
    ...(fault !== undefined && { fault }),
    ...(override !== undefined && { override }),
    ...(violations !== undefined && { violations }),
    ...(upstream && { upstream }),
    request: renderMessage(
      request.headers,
      textOf(request.body === 'too large' ? undefined : request.body),
      raw.isRequestCut,
      keys,
      MAX_VALUES,
    ),
    response: renderMessage(response.headers, textOf(response.body ?? response.bytes), raw.isResponseCut, keys),
  } as JournalEntry
  // Not the raw entry, which changes when its response is sent.
  exchanges.set(entry, { request, response, query })
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

function textOf(body: string | Uint8Array | undefined): string | undefined {
  return isBytes(body) ? new TextDecoder().decode(body) : body
}

type GivenHeaders = Readonly<Record<string, string | undefined>>

/** The headers for display: names in lower case, secrets hidden. */
export function showHeaders(headers: GivenHeaders, keys: KeyNames): Record<string, string> {
  return hideSecrets(lowerCaseNames(headers), keys)
}

function hideKeys(query: object, keys: KeyNames): object {
  const secrets = keys.query.filter((name) => Object.hasOwn(query, name))
  return secrets.length === 0 ? query : { ...query, ...Object.fromEntries(secrets.map((name) => [name, HIDDEN])) }
}

function lowerCaseNames(headers: GivenHeaders): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), String(value)]))
}

function renderMessage(
  headers: GivenHeaders,
  text: string | undefined,
  cut: boolean,
  keys: KeyNames,
  maxJsonValues = Number.POSITIVE_INFINITY,
): JournalMessage<unknown> {
  return {
    headers: showHeaders(headers, keys),
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
