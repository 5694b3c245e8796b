import type { Contract } from '../../engine/contract/contract.js'
import { ApiError } from '../../engine/contract/errors.js'
import { disclose } from '../../engine/resources/envelope.js'
import type { ResourceOperation, Role } from '../../engine/resources/resource.js'
import type { Id } from '../../lib/int64.js'
import { once } from '../../lib/once.js'
import { isObject } from '../../lib/plain-object.js'
import type { Exchange } from './har.js'
import type { ListedResource } from './listed-resources.js'

/** A recorded request that may be for an operation of the API. */
export interface RecordedCall {
  readonly exchange: Exchange
  /** The base URL of the service, if it is. */
  readonly baseUrl: string
  readonly resource: ListedResource
  /** The id in the path. */
  readonly id: Id | undefined
  /** What a successful response has: a list of records, a record, or nothing. */
  readonly result: 'list' | 'record' | 'nothing'
  /** Whether the record of the response did not exist before. */
  readonly isCreated: boolean
  /** That list or record; undefined if the body is missing, cut off or not JSON. */
  body(): unknown
}

interface Matched extends Pick<RecordedCall, 'resource' | 'id' | 'result'> {
  readonly role: Role
  readonly operation: ResourceOperation
}

/** Reads the call that an exchange makes: its operation is at the end of the path, after the path of the base address. */
export function createCallReader(contract: Contract, resources: readonly ListedResource[]) {
  const operations = new Map(resources.flatMap(operationsOf))
  const maxSegments = Math.max(...resources.map(({ path, itemPath = path }) => itemPath.split('/').length - 1))

  function matchPath(method: string, path: string): Matched | undefined {
    const found = operations.get(findOperation(contract, method, path) ?? '')
    if (found === undefined) return undefined
    const { resource, role } = found
    const hasId = role !== 'list' && role !== 'create'
    const id = hasId ? resource.ids.read(decodeURIComponent(path.slice(path.lastIndexOf('/') + 1))) : undefined
    if (hasId && id === undefined) return undefined
    return { ...found, id, result: role === 'list' ? 'list' : role === 'remove' ? 'nothing' : 'record' }
  }

  return (exchange: Exchange): RecordedCall | undefined => {
    const { method, url } = exchange
    // HEAD matches the operation of GET, but its response has no body.
    if (method === 'HEAD' || !/^https?:$/.test(url.protocol)) return undefined
    const segments = url.pathname.split('/').slice(1)
    for (let count = 1; count <= Math.min(maxSegments, segments.length); count += 1) {
      const matched = matchPath(method, `/${segments.slice(-count).join('/')}`)
      if (matched === undefined) continue
      const base = segments.slice(0, -count).map((segment) => `/${segment}`)
      const { resource, id, result, role, operation } = matched
      const isCreated = exchange.status === 201 || (role === 'create' && exchange.status === 200)
      const body = once(() => ({ value: disclose(operation.response?.envelope ?? [], exchange.readBody()) }))
      const baseUrl = `${url.origin}${base.join('')}`
      return { resource, id, result, isCreated, exchange, baseUrl, body: () => body().value }
    }
    return undefined
  }
}

/** By operationId. */
function operationsOf(resource: ListedResource) {
  return Object.entries(resource.operations).map(
    ([role, operation]) => [operation.operationId, { resource, operation, role: role as Role }] as const,
  )
}

function findOperation(contract: Contract, method: string, path: string): string | undefined {
  try {
    return contract.matchOperation({ method, path, query: '' })?.id
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
  if (call.result === 'list') return Array.isArray(body) && body.every(isObject)
  return call.result === 'record' && isObject(body) && Object.hasOwn(body, call.resource.idPath[0])
}
