import type { HandlerResponse } from '../../http/messages.js'
import { encodePart } from '../../lib/text.js'
import type { StoredRecord } from '../resources/additions.js'
import { compilePath, parentConditions } from '../resources/parents.js'
import { type Condition, combine, storedFieldOf, toCondition, toSort } from '../resources/selection.js'
import type { ServiceResource } from '../resources/service-resource.js'
import type { Selection } from '../store/indexes.js'
import type { SortedList } from '../store/sorted-list.js'
import { encloseList } from './envelope.js'
import { collectionOf, createParentCheck } from './find.js'
import type { GenericHandler, HandlerParts, ResourceContext, Tools } from './handler.js'
import type { ListPage } from './paging.js'
import { pageLinks, readPage } from './paging.js'
import { createBody } from './responder.js'
import { constantHeaders } from './response-headers.js'

type Headers = Readonly<Record<string, string>>

/** The declared headers of a response with a page of a list. */
function createListHeaders(names: readonly string[], { documents }: Tools): (page: ListPage) => Headers {
  const linkName = names.find((name) => name.toLowerCase() === 'link')
  const totalName = names.find((name) => name.toLowerCase() === 'x-total-count')
  const others = names.filter((name) => name !== linkName && name !== totalName)
  const constant = constantHeaders(others)
  return (page) => {
    const headers: Record<string, string> = { ...constant }
    if (totalName !== undefined) headers[totalName] = String(page.total)
    if (others.length > 0) documents?.addPageHeaders(headers, others, page)
    const links = linkName === undefined ? undefined : pageLinks(page.toUrl, page, page.total)
    if (linkName !== undefined && links !== undefined) headers[linkName] = links
    return headers
  }
}

type Query = Readonly<Record<string, unknown>>

/** What a query asks for. */
interface Plan {
  readonly selection: Selection<StoredRecord>
  /** The query of a link, up to the page. */
  readonly linkQuery: string
  /** The response to the last request, and what it depends on. */
  latest?: Latest
}

interface Latest {
  readonly list: object
  readonly changes: number
  readonly base: string
  readonly origin: string | undefined
  readonly response: HandlerResponse
}

/**
 * Responds with one page of a list, in the envelope and with the headers that the document declares. `at` is the path that
 * links lead to. `othersOf` returns the conditions that a request has beside its query.
 */
export function createListHandler(
  parts: HandlerParts,
  at = parts.resource.path,
  othersOf: (context: ResourceContext) => readonly Condition[] = () => [],
): GenericHandler {
  const { resource, operation, tools } = parts
  const { parents, list: parameters } = resource
  const present = createBody(parts, operation.response)
  const checkParents = createParentCheck(parts)
  const follow = tools.documents?.createFollow(resource, parts.all)
  const readLinked = resource.link && tools.documents?.createLinked(resource, parts.all)
  const toHeaders = createListHeaders(operation.headers, tools)
  const toPath = compilePath(at)
  /** The engine caches parameters, so a repeated query is the same object. */
  const plans = new WeakMap<Query, Plan>()

  function createPlan(context: ResourceContext): Plan {
    const { query, path, store } = context
    const collection = collectionOf(store, resource)
    const isUnchanged = (record: StoredRecord) => collection.isUnchanged(record)
    const linked = readLinked ? [readLinked({ store, path })] : []
    const others = [...parentConditions(resource, path, isUnchanged), ...linked, ...othersOf(context)]
    const selection = selectionOf(resource, query, tools, others)
    const plan: Plan = { selection, linkQuery: toQuery(linkParameters(resource, query, selection.sort !== undefined)) }
    if (parents.length === 0 && readLinked === undefined) plans.set(query, plan)
    return plan
  }

  function respond(
    { store, query, path, base }: ResourceContext,
    linkQuery: string,
    list: List,
    origin: string | undefined,
  ) {
    const part = readPage(parameters?.paging, query, toPageable(resource, list))
    const stored = list.slice(part.offset, part.size)
    const records = follow ? stored.map((record) => follow(store, record)) : stored
    const address = `${base}${toPath(path)}?${linkQuery}`
    const toUrl = (offset: number) => address + part.toQuery(offset)
    const page = { ...part, count: records.length, total: list.size, toUrl, origin }
    const body = encloseList(operation, Object.freeze(records.map(present)), page, tools)
    // Frozen, because all requests that repeat it get the same response.
    return Object.freeze({ status: operation.status, body, headers: Object.freeze(toHeaders(page)) })
  }

  return (context) => {
    const { store, query, base } = context
    checkParents(context)
    const plan = plans.get(query) ?? createPlan(context)
    const list = collectionOf(store, resource).select(plan.selection)
    const { changes } = list
    const origin = originOf(context)
    const { latest } = plan
    if (latest?.list === list && latest.changes === changes && latest.base === base && latest.origin === origin)
      return latest.response
    const response = respond(context, plan.linkQuery, list, origin)
    // What follows from other records changes with these.
    if (follow === undefined) plan.latest = { list, changes, base, origin, response }
    return response
  }
}

type List = Iterable<StoredRecord> & Pick<SortedList<StoredRecord>, 'size' | 'slice'>

function toPageable({ ids }: ServiceResource, list: List) {
  return {
    size: list.size,
    idAt(offset: number) {
      const [record] = list.slice(offset, 1)
      return record && ids.toJson(record.id)
    },
    findId(given: unknown) {
      const id = ids.read(given) ?? ids.read(String(given))
      const index = [...list].findIndex((record) => record.id === id)
      return index < 0 ? undefined : index
    },
  }
}

/** Undefined in memory, where requests have no host. */
function originOf({ headers: { host }, protocol }: ResourceContext): string | undefined {
  return host && `http${protocol ? 's' : ''}://${host}`
}

/** What the links to other pages repeat: filters and sorting in the order of the document, then everything else. */
function linkParameters(resource: ServiceResource, query: Query, isSorted: boolean): (readonly [string, unknown])[] {
  const { paging, sort, direction } = resource.list ?? {}
  const filters = filterParameters(resource)
  const known = [...filters, sort, direction, paging?.position, paging?.before, paging?.size]
  const others = Object.keys(query).filter((name) => !known.includes(name) && typeof query[name] !== 'object')
  const sorting = isSorted ? [sort, direction].flatMap((name) => name ?? []) : []
  return [...filters, ...sorting, ...others].map((name) => [name, query[name]] as const)
}

/** The records that a query asks for, and that meet some other conditions. */
export function selectionOf(
  resource: ServiceResource,
  query: Query,
  { documents }: Tools,
  others: readonly Condition[] = [],
): Selection<StoredRecord> {
  const { list } = resource
  const given = filterParameters(resource).filter(
    (parameter) => query[parameter] !== undefined && !selectsAll(resource, parameter, query[parameter]),
  )
  const single = given.find((parameter) => isGrouped(resource, parameter) && isSingle(query[parameter]))
  const conditions = given
    .filter((parameter) => parameter !== single)
    .map((parameter) => toCondition(resource, parameter, query[parameter]))
  return {
    group: single === undefined ? undefined : { by: single, value: String(query[single]) },
    where: combine([...others, ...conditions, ...(documents?.otherConditions(resource, query) ?? [])]),
    sort: toSort(resource, textOf(list?.sort, query), textOf(list?.direction, query)),
  }
}

/** The value of a query parameter; the first if there are several. */
function textOf(parameter: string | undefined, query: Query): string | undefined {
  const [value] = parameter === undefined ? [] : [query[parameter]].flat()
  return value === undefined ? undefined : String(value)
}

/** The query parameters that select: in the order of the document, then those that only the service knows. */
export function filterParameters({ list, additions }: ServiceResource): string[] {
  const declared = list?.filters.map(({ parameter }) => parameter) ?? []
  return [...new Set([...declared, ...Object.keys(additions.filters ?? {})])]
}

function selectsAll({ list }: ServiceResource, parameter: string, value: unknown): boolean {
  const filter = list?.filters.find((each) => each.parameter === parameter)
  return filter?.everything?.includes(Array.isArray(value) ? value[0] : value) ?? false
}

/** Several values are a list, or separated by commas. */
const isSingle = (value: unknown) => !Array.isArray(value) && !String(value).includes(',')

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
    for (const each of new Set([value].flat())) query += `${encodePart(name)}=${encodePart(String(each))}&`
  }
  return query
}
