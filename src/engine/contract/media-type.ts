import type { Schema } from './schema.js'

/** What a request body, a response or a parameter of the document may consist of. */
export interface MediaTypes {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
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
