import { HIDDEN } from '../../engine/contract/key-names.js'
import type { PlainRequest } from '../../engine/contract/messages.js'
import type { RecordedRequest } from '../../engine/reproduction/reproduction.js'
import { fromBase64 } from '../../lib/base64.js'

/** The request as it was sent, without the headers that are hidden. */
export function toPlainRequest(recorded: RecordedRequest): PlainRequest {
  const { method, path, query = '', base = '', headers, tooLarge } = recorded
  const known = Object.entries(headers).filter(([, value]) => value !== HIDDEN)
  const body = tooLarge ? 'too large' : bytesOf(recorded)
  return { method, path, query, base, headers: Object.fromEntries(known), ...(body !== undefined && { body }) }
}

export function bytesOf({
  body,
  isBase64,
}: Pick<RecordedRequest, 'body' | 'isBase64'>): Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined) return undefined
  return isBase64 ? fromBase64(body) : new TextEncoder().encode(body)
}
