import { ApiError } from '../../engine/contract/errors.js'
import { type Id, parseId } from '../../lib/int64.js'
import { once } from '../../lib/once.js'
import { storeContract } from '../../petstore/contract.js'
import { ID_FIELDS, isRecord, LIST_NAMES, type ListName } from '../../petstore/fixtures/lists.js'
import type { Exchange } from './har.js'
import { LISTS } from './lists.js'

/** A recorded request that may be for an operation of the API. */
export interface RecordedCall {
  readonly exchange: Exchange
  /** The base URL of the service, if it is. */
  readonly baseUrl: string
  readonly list: ListName
  /** The id in the path. */
  readonly id: Id | undefined
  /** What a successful response has: a list of records, a record, or nothing. */
  readonly result: 'list' | 'record' | 'nothing'
  /** The body of the response; undefined if it is missing, cut off or not JSON. */
  body(): unknown
}

/** `/store/orders/7` */
const MAX_SEGMENTS = 3

/** The call that an exchange makes: its operation is at the end of the path, after the path of the base address. */
export function toRecordedCall(exchange: Exchange): RecordedCall | undefined {
  const { method, url, readBody } = exchange
  // HEAD matches the operation of GET, but its response has no body.
  if (method === 'HEAD' || !/^https?:$/.test(url.protocol)) return undefined
  const segments = url.pathname.split('/').slice(1)
  for (let count = 1; count <= Math.min(MAX_SEGMENTS, segments.length); count += 1) {
    const path = `/${segments.slice(-count).join('/')}`
    const matched = matchPath(method, path)
    if (matched === undefined) continue
    const base = segments.slice(0, -count).map((segment) => `/${segment}`)
    const body = once(() => ({ value: readBody() }))
    return { ...matched, exchange, baseUrl: `${url.origin}${base.join('')}`, body: () => body().value }
  }
  return undefined
}

function matchPath(method: string, path: string): Pick<RecordedCall, 'list' | 'id' | 'result'> | undefined {
  const operation = findOperation(method, path)
  if (operation === undefined) return undefined
  const collection = operation.path.replace(/\/\{.*$/, '')
  const list = LIST_NAMES.find((name) => LISTS[name].path === collection)
  const hasId = collection !== operation.path
  const id = hasId ? parseId(path.slice(path.lastIndexOf('/') + 1)) : undefined
  if (list === undefined || (hasId && id === undefined)) return undefined
  const result = method === 'DELETE' ? 'nothing' : method === 'GET' && !hasId ? 'list' : 'record'
  return { list, id, result }
}

function findOperation(method: string, path: string) {
  try {
    const id = storeContract().matchOperation({ method, path, query: '' })?.id
    return storeContract()
      .operations()
      .find(({ operation }) => operation === id)
  } catch (error) {
    // The path cannot be decoded.
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** A browser records 304 with the body from its cache. */
export function succeeded({ exchange: { status } }: RecordedCall): boolean {
  return (status >= 200 && status < 300) || status === 304
}

/** Whether the body proves that this is the API, not a web page of the same path. A DELETE has none, and proves nothing. */
export function hasExpectedBody(call: RecordedCall): boolean {
  if (!succeeded(call)) return false
  const body = call.body()
  if (call.result === 'list') return Array.isArray(body) && body.every(isRecord)
  return call.result === 'record' && isRecord(body) && Object.hasOwn(body, ID_FIELDS[call.list])
}
