import { quote } from '../lib/text.js'
import { apiError } from './errors.js'

/**
 * The segments of a path, each decoded once. An encoded slash stays inside its segment. The empty segment before the first
 * slash is dropped; other empty segments match nothing, and a path without that slash starts with one.
 */
export function parsePath(path: string): string[] {
  const segments = (path.startsWith('/') ? path.slice(1) : `/${path}`).split('/')
  return path.includes('%') ? segments.map((segment) => decode(segment, 'path')) : segments
}

export type QueryValues = ReadonlyMap<string, readonly string[]>

/** A query as it was sent, and its parameters. */
export interface Query {
  readonly text: string
  readonly values: QueryValues
}

const NO_VALUES: QueryValues = new Map()

/** The values of every query parameter, decoded like a form: `+` is a space. */
export function parseQuery(query: string, maxParameters = Number.POSITIVE_INFINITY): QueryValues {
  if (query === '') return NO_VALUES
  const values = new Map<string, string[]>()
  const parts = query.split('&').filter((part) => part !== '')
  if (parts.length > maxParameters) {
    throw apiError('INVALID_REQUEST', `The query has ${parts.length} parameters. Maximum: ${maxParameters}.`)
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
    throw apiError(
      'INVALID_REQUEST',
      `The ${where} cannot be decoded: ${quote(text)} is not percent-encoded UTF-8. Write a literal % as %25.`,
    )
  }
}
