import type { JsonLimits } from '../../lib/json-size.js'
import { decodeUtf8, tooMuch } from './body.js'
import { nestByBrackets } from './bracket-names.js'
import { apiError } from './errors.js'
import { isJsonMediaType, type MediaType } from './media-type.js'
import { headerParameter, type Part, parseMultipart } from './multipart.js'
import { parseQuery } from './target.js'
import { Converted, convertTree, readJson } from './text-values.js'

type Fields = Map<string, (string | Converted)[]>

/** Names with brackets become objects and lists, and text gets the types of the schema. */
export function readUrlEncoded(bytes: Uint8Array, media: MediaType, limits: JsonLimits): unknown {
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

/** A file is an object with its name, size and type. */
export function readMultipart(bytes: Uint8Array, media: MediaType, contentType: string, limits: JsonLimits): unknown {
  const boundary = headerParameter(contentType, 'boundary')
  if (!boundary) throw apiError('MALFORMED_BODY', 'The Content-Type of the multipart request body has no boundary.')
  const parts = parseMultipart(bytes, boundary)
  if (parts === undefined) throw apiError('MALFORMED_BODY', 'Request body is not valid multipart/form-data.')
  checkCount(parts.length, limits)
  const fields: Fields = new Map()
  for (const part of parts) {
    const name = headerParameter(part.headers['content-disposition'] ?? '', 'name') ?? ''
    const values = fields.get(name)
    if (values) values.push(toValue(part))
    else fields.set(name, [toValue(part)])
  }
  return toObject(fields, media)
}

function toValue({ headers, content }: Part): string | Converted {
  const name = headerParameter(headers['content-disposition'] ?? '', 'filename')
  const type = headers['content-type']
  if (name !== undefined) return new Converted({ name, size: content.length, type: type ?? 'application/octet-stream' })
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
