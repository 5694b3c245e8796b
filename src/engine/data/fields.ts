import type { Contract } from '../../document/contract/contract.js'
import { checkQuery } from '../../document/validate/violations-to-error.js'
import { apiError, describeUnknown, MockError, suggestName } from '../../http/errors.js'
import type { Outcome, PlainRequest, PlainResponse } from '../../http/messages.js'
import type { QueryValues } from '../../http/target.js'
import { describeValue } from '../../lib/functions.js'
import { type Id, parseAnyId, toJsonInt64 } from '../../lib/int64.js'
import { parseJson, stringifyJson } from '../../lib/json.js'
import { isKind } from '../../lib/values.js'
import { collectionOf } from '../crud/find.js'
import type { Tools } from '../crud/handler.js'
import { selectionOf } from '../crud/list.js'
import type { AnyCollections } from '../resources/additions.js'
import { describeId, toJsonRecord } from '../resources/record-forms.js'
import type { ServiceResource } from '../resources/service-resource.js'
import type { PageQuery } from './data-api.js'
import type { FixtureId } from './format.js'

/** The given fields that are not undefined. Throws for an unknown field: a typo in a test must not go unnoticed. */
export function readFields<Fields extends object>(call: string, given: Fields, known: readonly string[]): Fields {
  // Others, such as the promise of an async function, have no fields to read.
  if (!isKind(given, 'Object')) {
    const received = Array.isArray(given) ? 'a list' : describeValue(given)
    throw new MockError('INVALID_DATA', `data.${call} expects an object, but received ${received}.`)
  }
  const fields = Object.entries(given).filter(([, value]) => value !== undefined)
  const unknown = fields.find(([name]) => !known.includes(name))?.[0]
  if (unknown === undefined) return Object.fromEntries(fields) as Fields
  throw new MockError('INVALID_DATA', `data.${call}: ${describeUnknown('field', unknown, known)}`)
}

/** The fields as a request has them: 64-bit integers may be given as numbers, bigints or strings. */
export function writeFields(
  { fields }: ServiceResource,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const integers = new Set(fields.filter(({ isInt64 }) => isInt64).map(({ property }) => property))
  const written = Object.entries(given).map(([name, value]) => {
    if (value === undefined || !integers.has(name)) return [name, rejectBigint(name, value)]
    const id = parseAnyId(value)
    if (id !== undefined) return [name, toJsonInt64(id)]
    const message = `An id must be a 64-bit integer, but is ${String(value)}.`
    throw new MockError('INVALID_DATA', message)
  })
  return Object.fromEntries(written)
}

function rejectBigint(name: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  throw new MockError('INVALID_DATA', `/${name} is not an id and must not be a bigint.`)
}

export function requireId(resource: ServiceResource, id: FixtureId): Id {
  const read = resource.ids.read(id)
  if (read !== undefined) return read
  throw new MockError('INVALID_DATA', `An id must be ${describeId(resource)}, but is ${String(id)}.`)
}

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

/** Only the members that are not undefined. */
export function toJson(fields: object): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  // JSON cannot express a function; null makes the schema reject it.
  const members = given.map(([name, value]) => `${JSON.stringify(name)}:${stringifyJson(value) ?? 'null'}`)
  return `{${members.join(',')}}`
}

const DEFAULT_SIZE = 100

/**
 * A page of a collection, whatever paging its list operation has. That operation decides about filters and sorting, and
 * checks those that are given: it may require some of its clients. Throws an ApiError.
 */
export function readPage(
  resource: ServiceResource,
  { contract, tools }: { readonly contract: Contract; readonly tools: Tools },
  store: AnyCollections,
  { offset = 0, limit = DEFAULT_SIZE, ...query }: PageQuery,
): { records: unknown[]; total: number } {
  const selection = selectionOf(resource, readQuery(resource, contract, query), tools)
  const list = collectionOf(store, resource).select(selection)
  const page = list.slice(Number(offset), Number(limit))
  return { records: page.map((record) => toJsonRecord(resource, record)), total: list.size }
}

/** The values as the list operation reads them. */
function readQuery({ operations, list }: ServiceResource, contract: Contract, query: PageQuery) {
  const operation = operations.list && contract.operationById(operations.list.operationId)
  const [first] = Object.keys(query)
  if (operation === undefined) {
    if (first === undefined) return {}
    throw apiError('INVALID_REQUEST', `query parameter ${first} is unknown. ${suggestName(first, [])}`)
  }
  const sort = list?.sort ?? 'sort'
  const names = Object.keys(query).map((name) => (name === 'sort' ? sort : name))
  const named = Object.values(query).map((value, index) => [names[index], [value].flat().map(String)])
  const read = (given: QueryValues) => operation.readParameters([], given, {}, true)
  const parameters = read(new Map(named as [string, string[]][]))
  // Those of the path would select the records of a parent.
  checkQuery(operation.validateParameters, parameters)
  return withoutDefaults(parameters.query, read(new Map()).query, [...names, list?.sort, list?.direction])
}

/** A default is for clients of the service, and would hide records. */
function withoutDefaults(query: object, defaults: object, kept: readonly (string | undefined)[]) {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !(name in defaults) || kept.includes(name)))
}
