import { stringifyJson } from '../../lib/json.js'
import { toBytes } from '../../lib/text.js'
import { isPlainObject } from '../../lib/values.js'
import { isJsonMediaType } from '../schema/media-type.js'

/** A value as XML: members are elements, a list repeats its element. The `xml` keywords of schemas are not read. */
function writeXml(value: unknown, name = 'root'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement(name, value)}`
}

function writeElement(name: string, value: unknown): string {
  const tag = toTag(name)
  const inside = Array.isArray(value)
    ? value.map((item) => writeElement('item', item)).join('')
    : isPlainObject(value)
      ? Object.entries(value)
          .map(([key, member]) => writeMember(key, member))
          .join('')
      : escapeText(value === null || value === undefined ? '' : String(value))
  return `<${tag}>${inside}</${tag}>`
}

function writeMember(name: string, value: unknown): string {
  return Array.isArray(value) ? value.map((item) => writeElement(name, item)).join('') : writeElement(name, value)
}

const toTag = (name: string) => name.replace(/[^\w.-]/g, '_').replace(/^(?![A-Za-z_])/, '_')

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A body as it is sent. */
export interface WrittenBody {
  readonly mediaType: string
  readonly body?: string
  readonly bytes?: Uint8Array
}

/** Writes a value in a media type. A text is the body itself, unless the media type is JSON. */
export function writeBody(mediaType: string, value: unknown, xmlName?: string): WrittenBody {
  if (isJsonMediaType(mediaType)) return { mediaType, body: toJson(value) }
  if (typeof value === 'string')
    return isText(mediaType) ? { mediaType, body: value } : { mediaType, bytes: toBytes(value) }
  if (isXml(mediaType)) return { mediaType, body: writeXml(value, xmlName) }
  if (JSON_LINES.test(mediaType)) {
    const lines = Array.isArray(value) ? value : [value]
    return { mediaType, body: lines.map((line) => `${toJson(line)}\n`).join('') }
  }
  if (EVENTS.test(mediaType)) return { mediaType, body: `data: ${toJson(value)}\n\n` }
  return { mediaType, body: toJson(value) }
}

const JSON_LINES = /^application\/(?:x-)?(?:ndjson|jsonl|json-?lines|stream\+json)/i
const EVENTS = /^text\/event-stream/i

const isXml = (mediaType: string) => /^[^;]*[/+]xml\b/i.test(mediaType)
const isText = (mediaType: string) =>
  isXml(mediaType) ||
  JSON_LINES.test(mediaType) ||
  /^text\/|^application\/(?:yaml|x-yaml|javascript|x-www-form)/i.test(mediaType)

const toJson = (value: unknown) => stringifyJson(value) ?? 'null'
