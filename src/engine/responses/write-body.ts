import { stringifyJson } from '../../lib/json.js'
import { toBytes } from '../../lib/utf8.js'
import { isJsonMediaType } from '../contract/media-type.js'
import { writeXml } from './write-xml.js'

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
