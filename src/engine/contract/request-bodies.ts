import {
  type BodyLimits,
  type BodyReader,
  checkEncoding,
  checkSize,
  decodeUtf8,
  isEmpty,
  parseJsonText,
  unsupportedType,
} from './body.js'
import { apiError } from './errors.js'
import { readMultipart, readUrlEncoded } from './form-bodies.js'
import { findMediaType, isJsonMediaType, type MediaType, type MediaTypes } from './media-type.js'
import type { PlainRequest } from './messages.js'
import { hasOtherCharset } from './negotiation.js'
import type { DocumentOperation } from './route.js'
import type { Validate } from './validators.js'
import { checkValue } from './violations-to-error.js'

/** Reads the request bodies of an operation in all media types that it declares. */
export function compileBodyReader(
  { requestBody }: DocumentOperation,
  compileValidator: (mediaType: string) => Validate,
): BodyReader | undefined {
  if (requestBody === undefined) return undefined
  const { content = {}, required = false } = requestBody as MediaTypes & { required?: boolean }
  const declared = Object.keys(content)
  const accepted = declared.join(', ') || '*/*'
  const validators = new Map<string, Validate>()

  function validatorFor(mediaType: string): Validate {
    const validate = validators.get(mediaType) ?? compileValidator(mediaType)
    validators.set(mediaType, validate)
    return validate
  }

  /** The declared media type of a body. */
  function checkType({ method, headers, body }: PlainRequest): string | undefined {
    const contentType = headers['content-type']
    if (declared.length === 0 || (contentType === undefined && isEmpty(body))) return undefined
    const mediaType = contentType === undefined ? undefined : findMediaType(contentType, declared)
    if (contentType !== undefined && mediaType !== undefined && !hasOtherCharset(contentType)) return mediaType
    const expected = declared.join(' or ') + (mediaType === undefined ? '' : ' in UTF-8')
    throw unsupportedType(method, contentType, expected, accepted)
  }

  return (request, limits) => {
    if (!required && isEmpty(request.body)) return undefined
    const mediaType = checkType(request)
    checkEncoding(request, accepted)
    const bytes = checkSize(request.body, limits)
    if (bytes === undefined) {
      const types = declared.length === 0 ? '' : ` Send ${declared.join(' or ')}.`
      throw apiError('MALFORMED_BODY', `Request body is empty.${types}`)
    }
    const contentType = request.headers['content-type'] ?? 'application/octet-stream'
    if (mediaType === undefined) return describeBytes(bytes, contentType)
    const { value, isChecked } = readBody({ bytes, contentType, media: content[mediaType] ?? {}, limits })
    return isChecked ? checkValue(validatorFor(mediaType), value) : value
  }
}

interface Received {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly media: MediaType
  readonly limits: BodyLimits
}

/** What is neither JSON nor a form nor text is not checked. */
function readBody({ bytes, contentType, media, limits }: Received): { value: unknown; isChecked: boolean } {
  const [type = ''] = contentType.toLowerCase().split(';')
  if (isJsonMediaType(contentType)) return { value: parseJsonText(decodeUtf8(bytes), limits), isChecked: true }
  switch (type.trim()) {
    case 'application/x-www-form-urlencoded':
      return { value: readUrlEncoded(bytes, media, limits), isChecked: true }
    case 'multipart/form-data':
      return { value: readMultipart(bytes, media, contentType, limits), isChecked: true }
    case 'text/plain':
      return { value: decodeUtf8(bytes), isChecked: true }
    default:
      return { value: describeBytes(bytes, contentType), isChecked: false }
  }
}

/** As a file in a form, but without a name. */
function describeBytes(bytes: Uint8Array, type: string): object {
  return { size: bytes.length, type }
}
