import { quote } from '../../lib/quote.js'

/**
 * Why a response cannot have a header, as a sentence without its subject. Checked here because adapters differ: Node throws
 * for some headers when it sends the response, msw tries to decompress a body that has a Content-Encoding.
 */
export function findHeaderProblem(name: string, value: unknown): string | undefined {
  const canonical = toCanonicalName(name)
  if (RESERVED.has(canonical)) return `sets the header ${canonical}, which only the mock may set.`
  if (TOKEN.test(name) && typeof value === 'string' && FIELD_VALUE.test(trimHeader(value))) return undefined
  return `sets the header ${quote(name)}, whose name or value is not allowed in HTTP.`
}

/** The same for every capitalization of a name, so that setting a header again replaces it. */
export function toCanonicalName(name: string): string {
  return name.toLowerCase().replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

/** HTTP ignores whitespace around a value. */
export function trimHeader(value: string): string {
  return value.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '')
}

/** They describe the body as the mock writes it, or the connection. */
const RESERVED = new Set([
  'Connection',
  'Content-Encoding',
  'Content-Length',
  'Content-Type',
  'Keep-Alive',
  'Trailer',
  'Transfer-Encoding',
])

/** A header name in RFC 9110. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** A header value in RFC 9110: Latin-1 without control characters other than tabs. */
const FIELD_VALUE = /^[\t -~\u0080-\u00ff]*$/
