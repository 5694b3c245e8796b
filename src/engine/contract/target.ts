import { ApiError, quote } from './errors.js'

/**
 * The segments of a path, each decoded once. An encoded slash stays inside its segment, so it cannot add one.
 * The empty segment in front of the first slash is dropped; whatever else stands there, or is empty, matches nothing.
 */
export function parsePath(path: string): string[] {
  const segments: string[] = []
  // `split` would take longer than all else that a path is looked at for.
  let start = path.startsWith('/') ? 1 : 0
  for (let end = path.indexOf('/', start); end >= 0; end = path.indexOf('/', start)) {
    segments.push(path.slice(start, end))
    start = end + 1
  }
  segments.push(path.slice(start))
  return path.includes('%') ? segments.map((segment) => decode(segment, 'path')) : segments
}

export type QueryValues = ReadonlyMap<string, readonly string[]>

const NO_QUERY: QueryValues = new Map()

/** The queries that were read last. Clients ask the same few again and again. */
const recent = new Map<string, QueryValues>()
const MAX_RECENT = 64
/** Longer ones are not kept, nor are those that could be too many parameters for somebody. */
const MAX_RECENT_LENGTH = 200

/** Every parameter of a query string with its values in order, read as a form would be: `+` is a blank. */
export function parseQuery(query: string, most = Number.POSITIVE_INFINITY): QueryValues {
  if (query === '') return NO_QUERY
  if (query.length > MAX_RECENT_LENGTH || most < MAX_RECENT_LENGTH) return readParts(query, most)
  const known = recent.get(query)
  if (known !== undefined) return known
  if (recent.size >= MAX_RECENT) recent.clear()
  const values = readParts(query, most)
  recent.set(query, values)
  return values
}

function readParts(query: string, most: number): QueryValues {
  const values = new Map<string, string[]>()
  const parts = query.split('&').filter((part) => part !== '')
  if (parts.length > most) {
    throw new ApiError('INVALID_REQUEST', `the query has ${parts.length} parameters, and at most ${most} are taken`)
  }
  for (const part of parts) {
    const equals = part.indexOf('=')
    const name = decodeFormPart(equals < 0 ? part : part.slice(0, equals))
    const value = equals < 0 ? '' : decodeFormPart(part.slice(equals + 1))
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  return values
}

function decodeFormPart(text: string): string {
  return decode(text.includes('+') ? text.replaceAll('+', ' ') : text, 'query')
}

function decode(text: string, where: 'path' | 'query'): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ApiError(
      'INVALID_REQUEST',
      `the ${where} cannot be decoded: ${quote(text)} is not percent-encoded UTF-8 (a literal % is written %25)`,
    )
  }
}
