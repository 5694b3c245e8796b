import { quote } from '../lib/text.js'
import { apiError } from './errors.js'

/** How the ranges of an `Accept` header are compared with media types. */
interface Negotiation {
  /** Whether every type of JSON accepts every other one: `application/vnd.books+json` accepts `application/json`. */
  readonly isAnyJson?: boolean
}

/** Whether an `Accept` header allows one of the media types. No header allows all. */
export function accepts(
  header: string | undefined,
  offered: readonly string[],
  negotiation: Negotiation = {},
): boolean {
  if (header === undefined || header.trim() === '' || header === '*/*') return true
  const ranges = header.replaceAll(QUOTED, '').split(',').map(parseRange)
  return offered.some((type) => qualityOf(type, ranges, negotiation) > 0)
}

/** The media type that an `Accept` header prefers; the first of several. Undefined if it allows none. */
export function preferredOf(
  header: string | undefined,
  offered: readonly string[],
  negotiation: Negotiation = {},
): string | undefined {
  const ranges = (header?.trim() || '*/*').replaceAll(QUOTED, '').split(',').map(parseRange)
  const rated = offered.map((type) => ({ type, quality: qualityOf(type, ranges, negotiation) }))
  const best = Math.max(...rated.map(({ quality }) => quality))
  return best > 0 ? rated.find(({ quality }) => quality === best)?.type : undefined
}

export function prefers(header: string | undefined, type: string): boolean {
  const ranges = (header ?? '').replaceAll(QUOTED, '').split(',').map(parseRange)
  return qualityOf(type, ranges) > qualityOf('application/json', ranges)
}

/**
 * Quoted parameters are removed: they may contain commas, and no media type that we offer has any. An unclosed quote extends
 * to the end, because trying every quote would take quadratic time.
 */
const QUOTED = /"(?:[^"\\]|\\.)*(?:"|\\?$)/g

interface MediaRange {
  type: string
  quality: number
}

function parseRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const q = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = q === undefined ? 1 : Number(q.slice(2))
  return { type, quality: Number.isNaN(quality) ? 0 : quality }
}

/** The most specific range decides, not the first one: `q=0` for JSON overrides a wildcard. */
function qualityOf(type: string, ranges: readonly MediaRange[], { isAnyJson = false }: Negotiation = {}): number {
  const name = type.replace(/;.*/s, '').trim().toLowerCase()
  const exact = bestOf(ranges.filter((range) => range.type === name))
  if (exact !== undefined) return exact
  const related = isAnyJson && ANY_JSON.test(name) ? bestOf(ranges.filter((range) => ANY_JSON.test(range.type))) : 0
  if (related) return related * RELATED
  for (const candidate of [`${name.split('/')[0]}/*`, '*/*']) {
    const best = bestOf(ranges.filter((range) => range.type === candidate))
    if (best !== undefined) return best
  }
  return 0
}

function bestOf(ranges: readonly MediaRange[]): number | undefined {
  return ranges.length === 0 ? undefined : ranges.reduce((best, { quality }) => Math.max(best, quality), 0)
}

const ANY_JSON = /^(?:application\/json|[^;]+\+json)$/

/** The type itself is preferred. */
const RELATED = 0.999

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i
const CHARSET = /;[ \t]*charset[ \t]*=([^;]*)/gi
const UTF_8 = /^(?:utf-?8|"utf-?8")$/i

/** `application/json` without a charset, or in UTF-8. */
export function isJsonContentType(header: string): boolean {
  return header === 'application/json' || (JSON_TYPE.test(header.trim()) && !hasOtherCharset(header))
}

/** Other than UTF-8. */
export function hasOtherCharset(contentType: string): boolean {
  const charsets = Array.from(contentType.matchAll(CHARSET), ([, charset = '']) => charset.trim())
  return !charsets.every((charset) => UTF_8.test(charset))
}

/** Throws unless the header is missing or 100-continue, the only expectation that HTTP defines. */
export function checkExpectHeader(header: string | undefined): void {
  if (header === undefined || header.trim().toLowerCase() === '100-continue') return
  throw apiError('EXPECTATION_FAILED', `Expectation ${quote(header)} is not supported. Available: 100-continue.`)
}
