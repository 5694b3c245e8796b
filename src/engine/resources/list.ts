import type { Selection } from '../store/indexes.js'
import type { StoredRecord } from './additions.js'
import { encloseList } from './envelope.js'
import { collectionOf } from './find.js'
import type { GenericHandler, HandlerParts } from './handler.js'
import { pageLinks, readPage } from './paging.js'
import { createParentCheck } from './parent-check.js'
import { fillPath, parentConditions } from './parents.js'
import { createBody } from './responder.js'
import { type Condition, combine, storedFieldOf, toCondition, toSort } from './selection.js'
import type { ServiceResource } from './service-resource.js'

type Query = Readonly<Record<string, unknown>>

/** What a query asks for, apart from the page. */
interface Plan {
  readonly selection: Selection<StoredRecord>
  /** The query of a link, up to the page. */
  readonly linkQuery: string
}

/** Responds with one page of a list, in the envelope and with the headers that the document declares. */
export function createListHandler(parts: HandlerParts): GenericHandler {
  const { resource, operation, tools } = parts
  const { parents, list: parameters } = resource
  const present = createBody(parts, operation.response)
  const checkParents = createParentCheck(parts)
  const filters = filterParameters(resource)
  const hasTotal = operation.headers.includes('X-Total-Count')
  const hasLinks = operation.headers.includes('Link')
  /** The engine caches parameters, so a repeated query is the same object. */
  const plans = new WeakMap<Query, Plan>()

  function createPlan(query: Query, path: Query): Plan {
    const selection = selectionOf(resource, query, parentConditions(resource, path))
    const given = filters.map((name) => [name, query[name]] as const)
    const plan = { selection, linkQuery: toQuery([...given, [parameters?.sort ?? '', selection.sort?.key]]) }
    if (parents.length === 0) plans.set(query, plan)
    return plan
  }

  return (context) => {
    const { store, query, path, base } = context
    checkParents(context)
    const { selection, linkQuery } = plans.get(query) ?? createPlan(query, path)
    const list = collectionOf(store, resource).select(selection)
    const page = readPage(parameters?.paging, query, list)
    const records = list.slice(page.offset, page.size)
    const headers: Record<string, string> = {}
    if (hasTotal) headers['X-Total-Count'] = String(list.size)
    if (hasLinks) {
      const links = pageLinks(`<${base}${fillPath(resource.path, path)}?${linkQuery}`, page, list.size)
      if (links !== undefined) headers.Link = links
    }
    const body = encloseList(operation, records.map(present), { ...page, total: list.size }, tools)
    return { status: operation.status, body, headers }
  }
}

/** The records that a query asks for, and that meet some other conditions. */
export function selectionOf(
  resource: ServiceResource,
  query: Query,
  others: readonly Condition[] = [],
): Selection<StoredRecord> {
  const { list } = resource
  const given = filterParameters(resource).filter((parameter) => query[parameter] !== undefined)
  const single = given.find((parameter) => isGrouped(resource, parameter) && !Array.isArray(query[parameter]))
  const conditions = given
    .filter((parameter) => parameter !== single)
    .map((parameter) => toCondition(resource, parameter, query[parameter]))
  return {
    group: single === undefined ? undefined : { by: single, value: String(query[single]) },
    where: combine([...others, ...conditions]),
    sort: toSort(resource, list?.sort === undefined ? undefined : (query[list.sort] as string)),
  }
}

/** The query parameters that select: in the order of the document, then those that only the service knows. */
export function filterParameters({ list, additions }: ServiceResource): string[] {
  const declared = list?.filters.map(({ parameter }) => parameter) ?? []
  return [...new Set([...declared, ...Object.keys(additions.filters ?? {})])]
}

/** Whether the records are grouped by the property that a parameter filters by. */
function isGrouped(resource: ServiceResource, parameter: string): boolean {
  const isOwn = resource.additions.filters?.[parameter] !== undefined || resource.storedIn !== resource.name
  return !isOwn && storedFieldOf(resource, parameter) === parameter && parameter in resource.references
}

/** Each parameter is followed by an ampersand. */
function toQuery(parameters: readonly (readonly [name: string, value: unknown])[]): string {
  let query = ''
  for (const [name, value] of parameters) {
    if (value === undefined) continue
    for (const each of new Set([value].flat())) query += `${encodeURIComponent(name)}=${toQueryText(String(each))}&`
  }
  return query
}

function toQueryText(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
}
