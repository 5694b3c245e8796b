import {
  type BodyLimits,
  type BodyReader,
  checkEncoding,
  checkSize,
  decodeUtf8,
  isEmpty,
  parseJsonText,
  tooMuch,
  unsupportedType,
} from '../../http/body.js'
import { apiError } from '../../http/errors.js'
import type { PlainRequest } from '../../http/messages.js'
import { hasOtherCharset } from '../../http/negotiation.js'
import { parseQuery } from '../../http/target.js'
import { oncePerText } from '../../lib/functions.js'
import type { JsonLimits } from '../../lib/json-in-steps.js'
import { findMediaType, isJsonMediaType, type MediaType, type MediaTypes } from '../schema/media-type.js'
import type { DocumentOperation } from '../schema/route.js'
import { nestByBrackets } from './parameter-styles.js'
import { Converted, ConvertedFile, convertTree, readJson } from './text-values.js'
import type { Validate } from './validators.js'
import { checkValue } from './violations-to-error.js'

/** A part of a multipart form. Its header names are in lower case. */
export interface Part {
  readonly headers: Readonly<Record<string, string>>
  readonly content: Uint8Array
}

/** The parts of a multipart body (RFC 2046), or undefined if it is malformed. */
export function parseMultipart(bytes: Uint8Array, boundary: string): Part[] | undefined {
  // One character for each byte, so that positions are the same.
  const text = new TextDecoder('latin1').decode(bytes)
  const delimiter = `\r\n--${boundary}`
  const parts: Part[] = []
  // The first delimiter may be at the very start, without a line break before it.
  let start = text.startsWith(delimiter.slice(2)) ? delimiter.length - 2 : endOf(text, delimiter, 0)
  while (start !== undefined) {
    if (text.startsWith('--', start)) return parts
    const lineEnd = endOf(text, '\r\n', start)
    if (lineEnd === undefined || text.slice(start, lineEnd).trim() !== '') return undefined
    const isWithoutHeaders = text.startsWith('\r\n', lineEnd)
    const contentStart = isWithoutHeaders ? lineEnd + 2 : endOf(text, '\r\n\r\n', lineEnd)
    // The line break before the content may belong to the delimiter, if the content is empty.
    const end = contentStart === undefined ? -1 : text.indexOf(delimiter, contentStart - 2)
    if (contentStart === undefined || end < 0) return undefined
    const headers = parseHeaders(utf8.decode(bytes.subarray(lineEnd, contentStart)))
    parts.push({ headers, content: bytes.subarray(contentStart, Math.max(contentStart, end)) })
    start = end + delimiter.length
  }
  return undefined
}

const utf8 = new TextDecoder()

/** The index after a text. */
function endOf(text: string, searched: string, from: number): number | undefined {
  const index = text.indexOf(searched, from)
  return index < 0 ? undefined : index + searched.length
}

function parseHeaders(text: string): Record<string, string> {
  const headers = text.split('\r\n').flatMap((line) => {
    const colon = line.indexOf(':')
    return colon < 0 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]]
  })
  return Object.fromEntries(headers)
}

/** A parameter of a header, such as `name` in `form-data; name="photo"`. */
export function headerParameter(header: string, name: string): string | undefined {
  for (const [, key = '', quoted, plain = ''] of header.matchAll(PARAMETER)) {
    if (key.toLowerCase() === name) return quoted === undefined ? plain.trim() : unescapeQuoted(quoted)
  }
  return undefined
}

const PARAMETER = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g

/** Browsers write `"` as `%22`, others as `\"`. */
function unescapeQuoted(text: string): string {
  return text
    .replaceAll(/\\(["\\])/g, '$1')
    .replaceAll('%22', '"')
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
}

type Fields = Map<string, (string | Converted)[]>

/** Names with brackets become objects and lists, and text gets the types of the schema. */
function readUrlEncoded(bytes: Uint8Array, media: MediaType, limits: JsonLimits): unknown {
  const text = decodeUtf8(bytes)
  checkCount(text.split('&').length, limits)
  return toObject(parseForm(text), media)
}

function checkCount(values: number, { maxJsonValues }: JsonLimits): void {
  if (values > maxJsonValues) throw tooMuch(`has more than ${maxJsonValues} values`)
}

function parseForm(text: string): Fields {
  try {
    return new Map(Array.from(parseQuery(text), ([name, values]) => [name, [...values]]))
  } catch {
    throw apiError('MALFORMED_BODY', 'Request body is not a valid form: a % is not followed by two hexadecimal digits.')
  }
}

/** A file in a request. */
export interface SentFile {
  /** The name of the part; missing if it is the whole body. */
  readonly part?: string | undefined
  readonly name?: string | undefined
  readonly type: string
  readonly content: Uint8Array
}

/** A body shows its files by what is known of them. Their content is beside it, because bodies are JSON. */
const files = new WeakMap<object, readonly SentFile[]>()

/** The files of a form or of another body that is no JSON; undefined for JSON. */
export const filesOf = (body: unknown): readonly SentFile[] | undefined => files.get(Object(body))

/** A file is an object with its name, size and type. */
function readMultipart(bytes: Uint8Array, media: MediaType, contentType: string, limits: JsonLimits): unknown {
  const boundary = headerParameter(contentType, 'boundary')
  if (!boundary) throw apiError('MALFORMED_BODY', 'The Content-Type of the multipart request body has no boundary.')
  const parts = parseMultipart(bytes, boundary)
  if (parts === undefined) throw apiError('MALFORMED_BODY', 'Request body is not valid multipart/form-data.')
  checkCount(parts.length, limits)
  const fields: Fields = new Map()
  const sent: SentFile[] = []
  for (const part of parts) {
    const name = headerParameter(part.headers['content-disposition'] ?? '', 'name') ?? ''
    const values = fields.get(name)
    const file = toFile(name, part)
    if (file) sent.push(file)
    const value = file ? convertFile(file) : toValue(part)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  const body = toObject(fields, media)
  if (typeof body === 'object' && body !== null) files.set(body, sent)
  return body
}

function toFile(part: string, { headers, content }: Part): SentFile | undefined {
  const name = headerParameter(headers['content-disposition'] ?? '', 'filename')
  if (name === undefined) return undefined
  return { part, name, type: headers['content-type'] ?? 'application/octet-stream', content }
}

const convertFile = ({ name, type, content }: SentFile) =>
  new ConvertedFile({ name, size: content.length, type }, () => utf8.decode(content))

function toValue({ headers, content }: Part): string | Converted {
  const type = headers['content-type']
  const text = decodeUtf8(content)
  return type !== undefined && isJsonMediaType(type) ? new Converted(readJson(text)) : text
}

function toObject(fields: Fields, { schema = {}, encoding = {} }: MediaType): unknown {
  const split = Array.from(fields, ([name, values]): [string, readonly (string | Converted)[]] => {
    const { style = 'form', explode = style === 'form' } = encoding[name] ?? {}
    const separator = explode ? undefined : SEPARATORS[style]
    return [name, separator === undefined ? values : values.flatMap((value) => cut(value, separator))]
  })
  return convertTree(nestByBrackets(split), schema)
}

function cut(value: string | Converted, separator: string): (string | Converted)[] {
  return typeof value === 'string' ? value.split(separator) : [value]
}

const SEPARATORS: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' }

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

  const typeOf = oncePerText((contentType) => ({
    mediaType: findMediaType(contentType, declared),
    isUtf8: !hasOtherCharset(contentType),
  }))

  /** The declared media type of a body. */
  function checkType({ method, headers, body }: PlainRequest): string | undefined {
    const contentType = headers['content-type']
    if (declared.length === 0 || (contentType === undefined && isEmpty(body))) return undefined
    const { mediaType, isUtf8 = false } = contentType === undefined ? {} : typeOf(contentType)
    if (mediaType !== undefined && isUtf8) return mediaType
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
  const body = { size: bytes.length, type }
  files.set(body, [{ type, content: bytes }])
  return body
}
