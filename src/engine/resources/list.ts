import type { Collection } from '../../engine/store/collection.js'
import type { Selection } from '../../engine/store/indexes.js'
import type { Identified } from '../../engine/store/model.js'
import { compareIds, type Id } from '../../lib/int64.js'

/** The parameters of every list, with the document's defaults applied. */
interface PageQuery {
  readonly limit?: number
  readonly offset?: number
  readonly sort?: string
}

/** The other query parameters, which the links repeat. */
type LinkParameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** How a list can be sorted and filtered. */
interface ListDefinition<R extends Identified, G extends string, Q extends PageQuery> {
  readonly sortFields: SortFields<R>
  filter(query: Q): Filtering<R, G>
}

/** Which records a query selects. */
interface Filtering<R, G extends string> {
  readonly linkParameters: LinkParameters
  readonly group?: { readonly by: G; readonly value: Id } | undefined
  readonly filters: readonly (Filter<R> | undefined)[]
}

/** What a query asks for, apart from the page. */
interface Plan<R, G extends string> {
  readonly selection: Selection<R, G>
  /** The query of a link, up to the page. */
  readonly linkQuery: string
}

/** Returns a function that responds with one page of a list, with the headers `X-Total-Count` and `Link`. */
export function createList<R extends Identified, G extends string, Q extends PageQuery>(
  definition: ListDefinition<R, G, Q>,
) {
  /** The engine caches parameters, so a repeated query is the same object. */
  const plans = new WeakMap<Q, Plan<R, G>>()

  function createPlan(query: Q): Plan<R, G> {
    const { linkParameters, group, filters } = definition.filter(query)
    const sort = toSort(query.sort, definition.sortFields)
    const plan = {
      selection: { group, where: combine(filters), sort },
      linkQuery: toQuery({ ...linkParameters, sort: sort?.key }),
    }
    plans.set(query, plan)
    return plan
  }

  return (collection: Collection<R, G>, query: Q, path: string) => {
    const { selection, linkQuery } = plans.get(query) ?? createPlan(query)
    const { limit = 0, offset = 0 } = query
    const list = collection.select(selection)
    const headers: Record<string, string> = { 'X-Total-Count': String(list.size) }
    const links = pageLinks(`<${path}?${linkQuery}limit=${limit}&offset=`, limit, offset, list.size)
    if (links.length <= MAX_LINKS_LENGTH) headers.Link = links
    return { status: 200 as const, body: list.slice(offset, limit), headers }
  }
}

/** Clients reject huge headers, and the four links repeat a filter of any length. */
const MAX_LINKS_LENGTH = 8000

/** `start` is the start of every link, up to the offset. */
function pageLinks(start: string, limit: number, offset: number, total: number): string {
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit
  let links = `${start}0>; rel="first"`
  if (offset > 0) links += `, ${start}${Math.max(0, Math.min(offset - limit, last))}>; rel="prev"`
  if (offset + limit < total) links += `, ${start}${offset + limit}>; rel="next"`
  return `${links}, ${start}${last}>; rel="last"`
}

/** Each parameter is followed by an ampersand. */
function toQuery(parameters: LinkParameters): string {
  let query = ''
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue
    for (const each of typeof value === 'string' ? [value] : value) query += `${name}=${toQueryText(each)}&`
  }
  return query
}

function toQueryText(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
}

/** A condition. Its key identifies it, so that the filtered list can be cached. */
export interface Filter<R> {
  readonly key: string
  readonly test: (record: R) => boolean
}

/** All filters as one; undefined when there are none. */
function combine<R>(filters: readonly (Filter<R> | undefined)[]): Filter<R> | undefined {
  const given = filters.filter((filter) => filter !== undefined)
  if (given.length < 2) return given[0]
  return {
    key: JSON.stringify(given.map(({ key }) => key)),
    test: (record) => given.every(({ test }) => test(record)),
  }
}

export function hasStatus<R extends { readonly status: string }>(
  statuses: readonly string[] | undefined,
): Filter<R> | undefined {
  if (statuses === undefined) return undefined
  const wanted = [...new Set(statuses)].sort()
  return { key: `status:${wanted}`, test: (record) => wanted.includes(record.status) }
}

export function nameContains<R extends { readonly name: string }>(text: string | undefined): Filter<R> | undefined {
  if (text === undefined) return undefined
  const needle = text.toLowerCase()
  return { key: `name:${needle}`, test: (record) => record.name.toLowerCase().includes(needle) }
}

type Comparable = string | number | boolean
type Reader<R> = (record: R) => Comparable | null

/** The fields a list can be sorted by. Ids are compared as integers; the first one is the default order. */
export interface SortFields<R> {
  readonly ids: Readonly<Record<string, (record: R) => Id | null>>
  readonly values: Readonly<Record<string, Reader<R>>>
}

/**
 * The order that a `sort` parameter requests; undefined for the default order. In both directions missing values come last
 * and ties are sorted by id, so that pages do not overlap.
 */
function toSort<R extends Identified>(
  sort: string | undefined,
  { ids, values }: SortFields<R>,
): { key: string; compare: (a: R, b: R) => number } | undefined {
  if (sort === undefined || sort === Object.keys(ids)[0]) return undefined
  const descending = sort.startsWith('-')
  const field = descending ? sort.slice(1) : sort
  const direction = descending ? -1 : 1
  const id = ids[field]
  const compare = id
    ? compareWith(id, (a, b) => direction * compareIds(a, b))
    : compareWith(values[field] as Reader<R>, (a, b) => direction * (a < b ? -1 : a > b ? 1 : 0))
  return { key: sort, compare }
}

function compareWith<R extends Identified, V>(read: (record: R) => V | null, compare: (a: V, b: V) => number) {
  return (left: R, right: R): number => {
    const a = read(left)
    const b = read(right)
    const difference = a === null || b === null ? Number(a === null) - Number(b === null) : compare(a, b)
    return difference || compareIds(left.id, right.id)
  }
}
