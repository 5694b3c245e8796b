import type { Contract } from '../../document/contract/contract.js'
import type { Operation } from '../../document/contract/operation.js'
import type { ResourceOperation, Role } from '../../document/resources/resource.js'
import { textOfSegment } from '../../document/validate/parameters.js'
import { disclose } from '../../engine/crud/envelope.js'
import { ApiError } from '../../http/errors.js'
import { parsePath } from '../../http/target.js'
import { once } from '../../lib/functions.js'
import type { Id } from '../../lib/int64.js'
import { isObject } from '../../lib/values.js'
import type { Exchange } from './har.js'
import { type PathValues, pathOf, propertiesShown, type Route } from './routes.js'

/** A recorded request that may be for an operation of the API. */
export interface RecordedCall extends Route {
  readonly exchange: Exchange
  /** The base URL of the service, if it is. */
  readonly baseUrl: string
  readonly values: PathValues
  /** The id in the path. */
  readonly id: Id | undefined
  /** What a successful response has: a list of records, a record, or nothing. */
  readonly result: 'list' | 'record' | 'nothing'
  /** The properties of records that the response can have. Undefined for all. */
  readonly shown: ReadonlySet<string> | undefined
  /** Whether the record of the response did not exist before. */
  readonly isCreated: boolean
  /** That list or record; undefined if the body is missing, cut off or not JSON. */
  body(): unknown
}

interface Matched extends Pick<RecordedCall, 'resource' | 'via' | 'values' | 'id' | 'result'> {
  readonly role: Role
  readonly operation: ResourceOperation
}

/** Reads the calls that an exchange may make: the operation is at the end of the path, after the path of the base address. */
export function createCallReader(contract: Contract, routes: readonly Route[]) {
  const operations = new Map(routes.flatMap(operationsOf))
  const paths = [...operations.values()].map(({ via, role }) => pathOf(via, role))
  const maxSegments = Math.max(0, ...paths.map((path) => path.split('/').length - 1))

  function matchPath(method: string, path: string): Matched | undefined {
    const matched = findOperation(contract, method, path)
    const found = operations.get(matched?.id ?? '')
    if (matched === undefined || found === undefined) return undefined
    const { via, role } = found
    const segments = parsePath(path)
    const values = Object.fromEntries(matched.pathParameters.map((each) => [each.name, textOfSegment(each, segments)]))
    const hasId = !via.isSingle && role !== 'list' && role !== 'create'
    const id = hasId ? via.ids.read(values[via.id.parameter ?? '']) : undefined
    if (hasId && id === undefined) return undefined
    return { ...found, values, id, result: role === 'list' ? 'list' : role === 'remove' ? 'nothing' : 'record' }
  }

  return (exchange: Exchange): RecordedCall[] => {
    const { method, url, status } = exchange
    // HEAD matches the operation of GET, but its response has no body.
    if (method === 'HEAD' || !/^https?:$/.test(url.protocol)) return []
    const segments = url.pathname.split('/').slice(1)
    const counts = Array.from({ length: Math.min(maxSegments, segments.length) }, (_, index) => index + 1)
    return counts.flatMap((count) => {
      const matched = matchPath(method, `/${segments.slice(-count).join('/')}`)
      if (matched === undefined) return []
      const { role, operation, ...call } = matched
      const base = segments.slice(0, -count).map((segment) => `/${segment}`)
      const body = once(() => ({ value: disclose(operation.response?.envelope ?? [], exchange.readBody()) }))
      return {
        ...call,
        exchange,
        baseUrl: `${url.origin}${base.join('')}`,
        get shown() {
          return propertiesShown(operation, role)
        },
        isCreated: status === 201 || (role === 'create' && status === 200),
        body: () => body().value,
      }
    })
  }
}

/** By operationId. */
function operationsOf(route: Route) {
  return Object.entries(route.via.operations).map(
    ([role, operation]) => [operation.operationId, { ...route, operation, role: role as Role }] as const,
  )
}

function findOperation(contract: Contract, method: string, path: string): Operation | undefined {
  try {
    return contract.matchOperation({ method, path, query: '' })
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
  return call.result === 'record' && isObject(body) && provesRecord(call, body)
}

/** One that does not contain its id may have any of its properties. */
function provesRecord({ via: { idPath, fields } }: RecordedCall, body: object): boolean {
  const properties = fields.map(({ property }) => property)
  const proofs = properties.includes(idPath[0]) ? [idPath[0]] : properties
  return proofs.some((property) => Object.hasOwn(body, property))
}
