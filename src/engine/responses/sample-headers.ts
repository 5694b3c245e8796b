import { stringifyJson } from '../../lib/json.js'
import { HEADER_NAME, isHeaderValue, RESERVED_HEADERS } from '../contract/header-rules.js'
import type { MediaType, MediaTypes } from '../contract/media-type.js'
import type { Schema } from '../contract/schema.js'
import type { BodyMaker } from './make-body.js'

/** A header of a response in a document. */
interface DeclaredHeader extends MediaTypes, Omit<MediaType, 'schema'> {
  readonly schema?: Schema
}

/** Values for the headers that a response declares, from their examples or schemas. */
export function sampleHeaders(declared: object, bodies: BodyMaker, salt: string): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, header] of Object.entries(declared) as [string, DeclaredHeader | undefined][]) {
    if (!HEADER_NAME.test(name) || NOT_SAMPLED.test(name) || RESERVED_HEADERS.includes(name.toLowerCase())) continue
    const [content] = Object.values(header?.content ?? {})
    const media = content ?? (header as MediaType) ?? {}
    const shape = { media, schema: media.schema ?? { type: 'string' } }
    const text = toText(bodies.findExample(shape) ?? bodies.sampleBody(shape, `${salt}/${name}`))
    if (text !== undefined && isHeaderValue(text)) headers[name] = text
  }
  return headers
}

/** What the server or the mock knows better. */
const NOT_SAMPLED = /^(?:date|vary|server|www-authenticate|retry-after|access-control-.*)$/i

function toText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(toText).join(',')
  return typeof value === 'string' ? value : stringifyJson(value)
}
