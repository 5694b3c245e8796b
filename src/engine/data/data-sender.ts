import { parseJson, stringifyJson } from '../../lib/json.js'
import { MockError } from '../contract/errors.js'
import type { Outcome, PlainRequest, PlainResponse } from '../contract/messages.js'

/** Sends the requests of a test that arranges data. */
export function createDataSender(handle: (request: PlainRequest) => Outcome) {
  function request(method: string, target: string, fields?: object): PlainResponse {
    const [path = '', query = ''] = target.split('?')
    const plain = { method, path, query, base: '', headers: { 'content-type': 'application/json' } }
    const body = fields && new TextEncoder().encode(toJson(fields))
    return handle(body ? { ...plain, body } : plain).response
  }

  /** Sends a request and returns the response body. Throws a MockError for an error response. */
  function send(method: string, path: string, fields?: object): unknown {
    const { status, body } = request(method, path, fields)
    if (status < 400) return body === undefined ? undefined : parseJson(body)
    throw new MockError('INVALID_DATA', `${method} ${path} was rejected: ${readMessage(body)}`)
  }

  return send
}

/** A service may have errors of its own shape. */
function readMessage(body = '{}'): string {
  const { message } = Object(parseJson(body)) as { message?: unknown }
  return typeof message === 'string' ? message : body
}

function toJson(fields: object): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  // JSON cannot express a function; null makes the schema reject it.
  const members = given.map(([name, value]) => `${JSON.stringify(name)}:${stringifyJson(value) ?? 'null'}`)
  return `{${members.join(',')}}`
}
