import { quote } from '../../lib/quote.js'

/**
 * Why a header cannot be given to a response, as a sentence without its subject; undefined where it can. The adapters
 * differ in what they refuse and when: Node throws while it writes, msw decodes a body that says it is compressed.
 */
export function findHeaderProblem(name: string, value: unknown): string | undefined {
  const spelled = spellHeader(name)
  if (RESERVED.has(spelled)) return `gives the header ${spelled}, which only the mock may write`
  if (TOKEN.test(name) && typeof value === 'string' && FIELD_VALUE.test(trimHeader(value))) return undefined
  return `gives the header ${quote(name)} a name or value that HTTP cannot carry`
}

/** One spelling of each name, so that a header given twice, or given again, replaces the first. */
export function spellHeader(name: string): string {
  return name.toLowerCase().replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

/** As HTTP carries it: without blanks around it. */
export function trimHeader(value: string): string {
  return value.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '')
}

/** They describe the body as the mock writes it, or the connection, which is not the response's. */
const RESERVED = new Set([
  'Connection',
  'Content-Encoding',
  'Content-Length',
  'Content-Type',
  'Keep-Alive',
  'Trailer',
  'Transfer-Encoding',
])

/** A name, in RFC 9110. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

/** A value, in RFC 9110: no control characters but the tab, and nothing beyond Latin-1. */
const FIELD_VALUE = /^[\t -~\u0080-\u00ff]*$/
