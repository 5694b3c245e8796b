import type { Api } from './api.js'
import { isJsonMediaType } from './contract/media-type.js'
import type { ResponseDraft } from './contract/messages.js'
import type { Operation } from './contract/operation.js'

/** A response that violates the contract is a bug of the mock, unless it is the response to a failure already. */
export function findResponseViolation(
  { operation, api }: { readonly operation?: Operation; readonly api?: Api },
  draft: ResponseDraft,
): string | undefined {
  const { status, body, bytes, mediaType, trace } = draft
  if (operation === undefined || status === 0 || draft.isUnchecked) return undefined
  if (trace?.failure !== undefined || trace?.misuse !== undefined) return undefined
  if (mediaType !== undefined && !isJsonMediaType(mediaType)) return undefined
  const text = bytes ? new TextDecoder().decode(bytes) : body
  return api?.contract.findResponseViolation(operation, status, text)
}
