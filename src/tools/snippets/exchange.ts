import type { RecordedExchange, RecordedRequest } from '../../engine/log/reproduction.js'
import { HEADER_NAME, HIDDEN } from '../../http/header-rules.js'
import { canFetch } from '../../lib/environment.js'
import { parseJson, stringifyJson } from '../../lib/json.js'
import { fromBase64, isVisible } from '../../lib/text.js'
import { toComment } from './literal.js'

/** Headers that a client sets itself, or that address a sandbox. */
const CLIENT_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|origin|referer|keep-alive|te|expect|dnt|priority|pragma|cache-control|sec-.*|baggage|x-petstore-.*)$/

/** The headers that repeat a message, and the names of those that are hidden. */
export function splitHeaders(headers: Readonly<Record<string, string>>, isLeftOut = CLIENT_HEADERS) {
  // Every client accepts everything if it says nothing else.
  const own = Object.entries(headers).filter(
    ([name, value]) => !isLeftOut.test(name) && !(name === 'accept' && value === '*/*'),
  )
  return {
    known: own.filter(([, value]) => value !== HIDDEN),
    hidden: own.filter(([, value]) => value === HIDDEN).map(([name]) => name),
  }
}

/** The path and the query, as they were sent. */
export function targetOf({ path, query }: Pick<RecordedRequest, 'path' | 'query'>): string {
  return query === undefined ? path : `${path}?${query}`
}

/** The body as it was sent. */
export function toBytes({ body, isBase64 }: RecordedRequest): Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined) return undefined
  return isBase64 ? fromBase64(body) : new TextEncoder().encode(body)
}

export function titleOf({ request }: RecordedExchange): string {
  return `${request.method} ${request.path}`
}

/** Comments on what cannot be repeated. `mark` begins a comment. */
export function remarksOn({ request }: RecordedExchange, mark?: string): string[] {
  const names = [
    ...splitHeaders(request.headers).hidden.map((name) => `header ${name}`),
    ...hiddenInQuery(request).map((name) => `query parameter ${name}`),
  ]
  return names.map((name) => secretRemark(name, mark))
}

/** The comment on a secret, which is hidden in a recording. */
export function secretRemark(what: string, mark?: string): string {
  return toComment(`The ${what} is a secret. Add it yourself.`, mark)
}

/** The comment in the place of a request. `obstacle` says why, in the words that follow "because". */
export function leftOut(exchange: RecordedExchange, obstacle: string, mark?: string): string {
  return toComment(`${titleOf(exchange)} is left out, because ${obstacle}.`, mark)
}

export function hiddenInQuery({ query }: Pick<RecordedRequest, 'query'>): string[] {
  return [...new URLSearchParams(query)].flatMap(([name, value]) => (value === HIDDEN ? [name] : []))
}

export type Client = 'curl' | 'fetch'

/** Why a request cannot be repeated at all, in the words that follow "because". */
export function findObstacle({ request }: RecordedExchange, client: Client): string | undefined {
  if (request.cut || request.tooLarge) return 'its body was too long to record'
  const { method, headers, body } = request
  const known = Object.fromEntries(splitHeaders(headers).known)
  const canSend = client === 'curl' ? canCurl(request) : canFetch(method, targetOf(request), known, body !== undefined)
  return canSend ? undefined : `${client} cannot send it`
}

function canCurl({ method, headers, body, ...address }: RecordedRequest): boolean {
  const canSendHeaders = splitHeaders(headers).known.every(([name, value]) => {
    const text = toText(value)
    return HEADER_NAME.test(name) && text !== undefined && isVisible(text) && !text.includes('\n')
  })
  // With --head it sends no body, and with -X HEAD it waits for one.
  const isHeadWithBody = method === 'HEAD' && body !== undefined
  return /^\/[!-~]*$/.test(targetOf(address)) && canSendHeaders && !isHeadWithBody
}

/** The text of a header, each character of which stands for a byte; undefined if it is not UTF-8. */
export function toText(value: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fromBase64(btoa(value)))
  } catch {
    return undefined
  }
}

/** The value of JSON that `JSON.parse` and `JSON.stringify` lead back to: an id beyond 2^53 would be rounded. */
export const readExactJson = (text: string) => readExactly(text, JSON)

/** The same, with bigints for large integers. */
export const readExactBigJson = (text: string) => readExactly(text, { parse: parseJson, stringify: stringifyJson })

interface Json {
  parse(text: string): unknown
  stringify(value: unknown): string | undefined
}

/** Undefined if it is not JSON, or JSON in another format. */
function readExactly(text: string, { parse, stringify }: Json): unknown {
  try {
    const value = parse(text)
    return !isDeeperThan(MAX_DEPTH, value) && stringify(value) === text ? value : undefined
  } catch {
    return undefined
  }
}

/** JSON with more levels is written as text. */
const MAX_DEPTH = 20

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(levels - 1, member))
}
