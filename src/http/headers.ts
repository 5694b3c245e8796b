import { describeValue } from '../lib/functions.js'
import { quote } from '../lib/text.js'
import { isKind } from '../lib/values.js'
import { HEADER_NAME, HEADER_VALUE, RESERVED_HEADERS } from './header-rules.js'

/** The token in a header `Authorization: Bearer <token>`. Undefined for other credentials. */
export function readBearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([!-~]+)$/i.exec(authorization?.trim() ?? '')?.[1]
}

/** Headers as a test gives them. Only `Set-Cookie` may have several values. */
export type GivenHeaders = Readonly<Record<string, string | readonly string[]>>

/**
 * The headers of a response. `fail` is called with the first problem, a sentence without its subject, and must throw.
 * `isRaw` allows a Content-Type: the body is not written by the mock.
 */
export function toResponseHeaders(
  given: object,
  fail: (problem: string) => never,
  isRaw = false,
): Record<string, string> {
  if (typeof given !== 'object' || given === null || Symbol.iterator in given) {
    const hint = isKind(given, 'Headers') ? ' Write Object.fromEntries(headers) instead of a Headers object.' : ''
    return fail(`must have headers as an object of names and values.${hint}`)
  }
  const headers = Object.entries(given).map(([name, value]) => {
    const canonical = toCanonicalName(name)
    const isList = canonical === COOKIES && Array.isArray(value) && value.length > 0
    const values: unknown[] = isList ? value : [value]
    const problem = values.map((each) => findHeaderProblem(name, each, isRaw)).find((each) => each !== undefined)
    if (problem !== undefined) return fail(problem)
    return [canonical, values.map((each) => trimHeader(each as string)).join(SEPARATOR)]
  })
  return Object.fromEntries(headers)
}

const COOKIES = 'Set-Cookie'

/** Between cookies, which cannot be joined with commas. No header value can contain it. */
const SEPARATOR = '\n'

/** The names and values to send, with one pair for each cookie. */
export function toHeaderPairs(headers: Readonly<Record<string, string>>): [name: string, value: string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    name === COOKIES ? value.split(SEPARATOR).map((cookie): [string, string] => [name, cookie]) : [[name, value]],
  )
}

/** The reverse of `toResponseHeaders`. */
export function toGivenHeaders(headers: Readonly<Record<string, string>>): GivenHeaders {
  const settable = Object.entries(headers).filter(([name]) => !RESERVED_HEADERS.includes(name.toLowerCase()))
  return Object.fromEntries(
    settable.map(([name, value]) => [
      name,
      name === COOKIES && value.includes(SEPARATOR) ? value.split(SEPARATOR) : value,
    ]),
  )
}

/** What a simulated error has unless a test says otherwise: clients that retry expect it with these statuses. */
export function retryAfter(status: number): Record<string, string> {
  return status === 429 || status === 503 ? { 'Retry-After': '1' } : {}
}

/**
 * Why a response cannot have a header, as a sentence without its subject. Checked here because adapters differ: Node throws
 * for some headers when it sends the response, msw tries to decompress a body that has a Content-Encoding.
 */
function findHeaderProblem(name: string, value: unknown, isRaw: boolean): string | undefined {
  const canonical = toCanonicalName(name)
  const isAllowed = isRaw && canonical === 'Content-Type'
  if (RESERVED_HEADERS.includes(name.toLowerCase()) && !isAllowed)
    return `sets the header ${canonical}, which only the mock may set.`
  if (typeof value !== 'string') {
    return `sets the header ${quote(name)} to ${describeValue(value)}, which is not a string.`
  }
  if (HEADER_NAME.test(name) && HEADER_VALUE.test(trimHeader(value))) return undefined
  return `sets the header ${quote(name)}, whose name or value is not allowed in HTTP.`
}

/** The same for every capitalization of a name, so that setting a header again replaces it. */
export function toCanonicalName(name: string): string {
  return name.toLowerCase().replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

/** HTTP ignores whitespace around a value. */
function trimHeader(value: string): string {
  return value.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '')
}
