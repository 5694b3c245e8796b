import { apiError, MockError } from '../engine/contract/errors.js'
import type { Outcome, PlainRequest, PlainResponse } from '../engine/contract/messages.js'
import type { PageQuery } from '../engine/service.js'
import { type Id, parseAnyId } from '../lib/int64.js'
import { parseJson } from '../lib/json.js'
import type { FixtureId } from './fixtures/format.js'
import { isIdField } from './fixtures/read.js'

export function readId(id: FixtureId): Id {
  const read = parseAnyId(id)
  if (read === undefined) throw new MockError('INVALID_DATA', `An id must be a 64-bit integer, but is ${String(id)}.`)
  return read
}

export function createDataSender(handle: (request: PlainRequest) => Outcome) {
  function request(method: string, target: string, fields?: object): PlainResponse {
    const [path = '', query = ''] = target.split('?')
    const plain = { method, path, query, base: '', headers: { 'content-type': 'application/json' } }
    const body = fields && new TextEncoder().encode(toJson(fields))
    return handle(body ? { ...plain, body } : plain).response
  }

  function read(method: string, path: string, { status, body }: PlainResponse): unknown {
    if (status < 400) return body === undefined ? undefined : parseJson(body)
    const { message } = parseJson(body ?? '{}') as { message: string }
    throw new MockError('INVALID_DATA', `${method} ${path} was rejected: ${message}`)
  }

  /** Sends a request and returns the response body. Throws a MockError for an error response. */
  function send(method: string, path: string, fields?: object): unknown {
    return read(method, path, request(method, path, fields))
  }

  /** Undefined when the response is 404. */
  function find(path: string): unknown {
    const response = request('GET', path)
    return response.status === 404 ? undefined : read('GET', path, response)
  }

  /** The items of all pages of a list. */
  function list(path: string): unknown[] {
    const items: unknown[] = []
    for (;;) {
      const page = send('GET', `${path}?limit=${PAGE_SIZE}&offset=${items.length}`) as unknown[]
      items.push(...page)
      if (page.length < PAGE_SIZE) return items
    }
  }

  function listPage(path: string, query: PageQuery): { records: unknown[]; total: number } {
    const values = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)]))
    const { status, headers, body = '[]' } = request('GET', `${path}?${new URLSearchParams(values)}`)
    if (status === 200) return { records: parseJson(body) as unknown[], total: Number(headers['X-Total-Count']) }
    throw apiError('INVALID_REQUEST', (parseJson(body) as { message: string }).message)
  }

  return { send, find, list, listPage }
}

const PAGE_SIZE = 100

/** Writes ids exactly, whether they are numbers, bigints or strings. */
function toJson(fields: object): string {
  const members = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${isIdField(name) ? readId(value) : toJsonValue(name, value)}`)
  return `{${members.join(',')}}`
}

function toJsonValue(name: string, value: unknown): string {
  if (typeof value === 'bigint') throw new MockError('INVALID_DATA', `/${name} is not an id and must not be a bigint.`)
  // JSON cannot express a function; null makes the schema reject it.
  return JSON.stringify(value) ?? 'null'
}
