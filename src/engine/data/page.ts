import type { Contract } from '../contract/contract.js'
import { apiError, suggestName } from '../contract/errors.js'
import { checkQuery } from '../contract/violations-to-error.js'
import type { AnyCollections } from '../resources/additions.js'
import { collectionOf } from '../resources/find.js'
import type { Tools } from '../resources/handler.js'
import { selectionOf } from '../resources/list.js'
import { toJsonRecord } from '../resources/record-forms.js'
import type { ServiceResource } from '../resources/service-resource.js'
import type { PageQuery } from '../service.js'

const DEFAULT_SIZE = 100

/**
 * A page of a collection, whatever paging its list operation has. That operation decides about filters and sorting, and
 * checks them. Throws an ApiError.
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
  const named = Object.entries(query).map(([name, value]) => [
    name === 'sort' ? sort : name,
    [value].flat().map(String),
  ])
  const parameters = operation.readParameters([], new Map(named as [string, string[]][]), {}, true)
  // Those of the path would select the records of a parent.
  checkQuery(operation.validateParameters, parameters)
  return parameters.query
}
