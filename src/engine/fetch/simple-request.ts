import { isPlainObject } from '../../lib/plain-object.js'
import type { PlainRequest } from '../contract/messages.js'

/** Where a path on its own is taken to be. */
const SOMEWHERE = 'http://localhost'

/** What `fetch` is told, as the `Request` that the platform makes of it. */
export function toRequest(input: string | URL | Request, init?: RequestInit): Request {
  if (input instanceof Request && init === undefined) return input
  return new Request(isPath(input) ? SOMEWHERE + input : input, init)
}

/** To be put in front, not resolved against: `//evil.example/pets` is a path here, not another host. */
function isPath(input: string | URL | Request): input is string {
  return typeof input === 'string' && input.startsWith('/')
}

/**
 * What `fetch` is told, without a `Request`, which takes longer to make than the answer. Undefined where there is
 * anything about it that the platform might read differently, or refuse.
 */
export function toSimpleRequest(input: unknown, init: unknown): PlainRequest | undefined {
  if (typeof input !== 'string') return undefined
  const options: unknown = init === undefined ? {} : init
  if (!isPlainObject(options)) return undefined
  for (const name in options) if (!OPTIONS.has(name)) return undefined
  const { method = 'GET', body } = options
  const headers = options.headers === undefined ? {} : toSimpleHeaders(options.headers)
  const url = toSimpleUrl(input)
  if (typeof method !== 'string' || !METHODS.has(method) || headers === undefined || url === undefined) return undefined
  const { pathname: path, search } = url
  const query = search.slice(1)
  const plain = { method, path, query, base: '', headers }
  if (body === undefined) return plain
  if (typeof body !== 'string' || method === 'GET') return undefined
  headers['content-type'] ??= 'text/plain;charset=UTF-8'
  return { ...plain, body: encoder.encode(body) }
}

const encoder = new TextEncoder()

const OPTIONS = new Set(['method', 'headers', 'body'])
const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
/** None that a browser keeps to itself. */
const HEADERS = new Set(['accept', 'authorization', 'content-type', 'prefer'])
const VALUE = /^[!-~](?:[ -~]*[!-~])?$/

function toSimpleHeaders(given: unknown): Record<string, string> | undefined {
  if (!isPlainObject(given)) return undefined
  const headers: Record<string, string> = {}
  for (const name in given) {
    const key = name.toLowerCase()
    const value = given[name]
    if (!HEADERS.has(key) || key in headers || typeof value !== 'string' || !VALUE.test(value)) return undefined
    headers[key] = value
  }
  return headers
}

function toSimpleUrl(input: string): URL | undefined {
  try {
    const url = new URL(isPath(input) ? SOMEWHERE + input : input)
    return url.username === '' && url.password === '' ? url : undefined
  } catch {
    return undefined
  }
}
