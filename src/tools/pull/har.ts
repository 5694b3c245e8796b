import type { RecordedExchange } from '../../engine/log/reproduction.js'
import { fromBase64 } from '../../lib/text.js'
import { isObject } from '../../lib/values.js'
import { parseIfJson } from '../server/service-response.js'
import { PullError } from './require-list.js'

/** A recorded request and its response. */
export interface Exchange {
  readonly method: string
  readonly url: URL
  readonly status: number
  /** `X-Total-Count`, if the response has it. */
  readonly total: number | undefined
  /** The body as JSON; undefined if it is missing, cut off or something else. */
  readBody(): unknown
}

export interface Recording {
  /** In the order in which the responses were complete, or the data of a mock changed. */
  readonly exchanges: readonly Exchange[]
  /** How many entries lack what every entry of a HAR file has. */
  readonly unreadable: number
}

/** Reads HAR 1.2, as browsers, proxies and our journal write it. */
export function readHar(har: unknown): Recording {
  const log = isObject(har) ? har.log : undefined
  const entries = isObject(log) ? log.entries : undefined
  if (!Array.isArray(entries)) throw new PullError('Not a HAR file: it has no list "entries" in "log"')
  const read = entries.map(readEntry).filter((each) => each !== undefined)
  // Our journal has the order in which the data changed; its times may be those of a frozen clock.
  if (!isOwn(log)) read.sort((a, b) => a.end - b.end)
  return { exchanges: read.map(({ exchange }) => exchange), unreadable: entries.length - read.length }
}

function isOwn(log: unknown): boolean {
  return isObject(log) && isObject(log.creator) && log.creator.name === 'petstore-mock'
}

function readEntry(entry: unknown): { end: number; exchange: Exchange } | undefined {
  if (!isObject(entry) || !isObject(entry.request) || !isObject(entry.response)) return undefined
  const { startedDateTime, time, request, response } = entry
  const { method, url } = request
  const { status, headers, content } = response
  if (typeof method !== 'string' || typeof url !== 'string' || !URL.canParse(url)) return undefined
  if (typeof status !== 'number') return undefined
  const end = Date.parse(String(startedDateTime)) + (typeof time === 'number' ? time : 0)
  return {
    // The start is rounded down to milliseconds. Entries of the same millisecond stay in the order of the file.
    end: Number.isNaN(end) ? 0 : Math.ceil(end),
    exchange: {
      method,
      url: new URL(url),
      status,
      total: readTotal(headerOf(headers, 'x-total-count')),
      readBody: () => parseIfJson(textOf(content)),
    },
  }
}

function readTotal(count = ''): number | undefined {
  return /^\d{1,15}$/.test(count) ? Number(count) : undefined
}

function headerOf(headers: unknown, name: string): string {
  if (!Array.isArray(headers)) return ''
  const header = headers.filter(isObject).find((each) => String(each.name).toLowerCase() === name)
  return String(header?.value ?? '')
}

/** Empty if there is none. */
function textOf(content: unknown): string {
  if (!isObject(content) || typeof content.text !== 'string') return ''
  return content.encoding === 'base64' ? decodeBase64(content.text) : content.text
}

function decodeBase64(text: string): string {
  try {
    return new TextDecoder().decode(fromBase64(text))
  } catch {
    return ''
  }
}

/** A reproduction does not have the address of the service. */
export const RECORDED = 'http://recorded'

/** A request of a reproduction, read like an entry of a HAR. Undefined if its response is not that of the real service. */
export function readExchange({ request, response, fault, override, upstream }: RecordedExchange): Exchange | undefined {
  const isChanged = fault !== undefined || override !== undefined
  if (upstream?.outcome !== 'answered' || isChanged || response === undefined) return undefined
  const { method, path, query } = request
  const { status, headers, body = '', isBase64, cut } = response
  return {
    method,
    // Put together as text: a path that starts with two slashes is no address.
    url: new URL(`${RECORDED}${path}${query === undefined ? '' : `?${query}`}`),
    status,
    total: readTotal(headers['x-total-count']),
    readBody: () => (cut ? undefined : parseIfJson(isBase64 ? decodeBase64(body) : body)),
  }
}
