import { quote } from '../../lib/quote.js'
import { apiError } from './errors.js'

/** Whether an `Accept` header admits one of the media types on offer. No header admits everything. */
export function accepts(header: string | undefined, offered: readonly string[]): boolean {
  if (header === undefined || header.trim() === '' || header === '*/*') return true
  const ranges = header.replaceAll(QUOTED, '').split(',').map(parseRange)
  return offered.some((type) => qualityOf(type, ranges) > 0)
}

/** Whether an `Accept` header asks for a media type more than for the JSON that everybody else gets. */
export function prefers(header: string | undefined, type: string): boolean {
  const ranges = (header ?? '').replaceAll(QUOTED, '').split(',').map(parseRange)
  return qualityOf(type, ranges) > qualityOf('application/json', ranges)
}

/** One that is never closed goes to the end, or each quote would be tried anew. A quoted parameter may hold commas; no media type we offer has one, so what it says does not matter. */
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

/** The most specific range decides, wherever it stands: a `q=0` for JSON outweighs a generous wildcard. */
function qualityOf(type: string, ranges: readonly MediaRange[]): number {
  for (const candidate of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const matching = ranges.filter((range) => range.type === candidate)
    if (matching.length > 0) return matching.reduce((best, { quality }) => Math.max(best, quality), 0)
  }
  return 0
}

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i
const CHARSET = /;[ \t]*charset[ \t]*=([^;]*)/gi
const UTF_8 = /^(?:utf-?8|"utf-?8")$/i

/** `application/json`, in UTF-8 where a charset is named. */
export function isJsonContentType(header: string): boolean {
  if (header === 'application/json') return true
  const charsets = Array.from(header.matchAll(CHARSET), ([, charset = '']) => charset.trim())
  return JSON_TYPE.test(header.trim()) && charsets.every((charset) => UTF_8.test(charset))
}

/** Refuses a request that expects anything else than to be told when to go on. */
export function checkExpectation(header: string | undefined): void {
  if (header === undefined || header.trim().toLowerCase() === '100-continue') return
  throw apiError('EXPECTATION_FAILED', `the only expectation that is met is 100-continue, but this is ${quote(header)}`)
}
