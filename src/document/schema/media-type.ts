import { isHeaderValue } from '../../http/header-rules.js'
import type { Schema } from './schema.js'

/** What a request body, a response or a parameter of the document may consist of. */
export interface MediaTypes {
  readonly content?: Readonly<Record<string, MediaType>>
}

export interface MediaType {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value?: unknown } | undefined>>
  /** How the properties of a form are written. */
  readonly encoding?: Readonly<Record<string, { readonly style?: string; readonly explode?: boolean }>>
}

const JSON_TYPES = /^(?:application\/json|[^;]*\+json|application\/\*|\*\/\*)[ \t]*(?:;|$)/i

/** Whether bodies of a media type, or of a range such as `application/*`, are JSON. */
export function isJsonMediaType(mediaType: string): boolean {
  return JSON_TYPES.test(mediaType)
}

/** JSON, if it is one of them. */
export function preferredMediaType(mediaTypes: readonly string[]): string | undefined {
  return mediaTypes.find(isJsonMediaType) ?? mediaTypes[0]
}

/** The declared media type, or range of them, that a `Content-Type` belongs to. The most specific one wins. */
export function findMediaType(contentType: string, declared: readonly string[]): string | undefined {
  const type = withoutParameters(contentType)
  const candidates = [type, `${type.split('/')[0]}/*`, '*/*']
  return candidates.map((each) => declared.find((mediaType) => withoutParameters(mediaType) === each)).find(Boolean)
}

function withoutParameters(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase()
}

/** A media type to send for one that may be a range, or have characters that a header cannot have. */
export function toConcreteType(mediaType: string): string {
  if (!mediaType.includes('*') && isHeaderValue(mediaType)) return mediaType
  if (isJsonMediaType(mediaType)) return 'application/json'
  return mediaType.startsWith('text/') ? 'text/plain' : 'application/octet-stream'
}
