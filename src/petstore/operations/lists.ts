import type { Collection } from '../../engine/store/collection.js'
import { type Selection, toSelection } from '../../engine/store/selection.js'
import { compareIds, type Id } from '../../lib/int64.js'

interface Identified {
  readonly id: Id
}

/** The parameters every list takes; the document's defaults are already filled in. */
interface PageQuery {
  readonly limit?: number
  readonly offset?: number
  readonly sort?: string
}

/** The client's other parameters of a list, as they go into its links. */
type Kept = Readonly<Record<string, string | readonly string[] | undefined>>

/** What a list is about, and how it may be narrowed and sorted. */
export interface Listing<R extends Identified, Q extends PageQuery> {
  readonly sortFields: SortFields<R>
  narrow(query: Q): Narrowing<R>
}

/** What a query asks for besides a page and its order. */
export interface Narrowing<R> {
  readonly kept: Kept
  readonly group?: { readonly by: string; readonly value: Id } | undefined
  readonly filters: readonly (Filter<R> | undefined)[]
}

/** What a query comes to, whatever the data. */
interface Plan<R> {
  readonly selection: Selection<R>
  /** For links to other pages: the query without the page. */
  readonly others: string
}

interface Page<R> {
  readonly items: R[]
  readonly headers: Readonly<Record<string, string>>
}

/** Makes what shows a page of a list, with the headers that tell how many there are and where the other pages lie. */
export function createList<R extends Identified, Q extends PageQuery>(
  listing: Listing<R, Q>,
): (collection: Collection<R>, query: Q, path: string) => Page<R> {
  /** A query that is asked again is the same object. */
  const plans = new WeakMap<Q, Plan<R>>()

  function planFor(query: Q): Plan<R> {
    const known = plans.get(query)
    if (known !== undefined) return known
    const plan = toPlan(listing, query)
    plans.set(query, plan)
    return plan
  }

  return (collection, query, path) => {
    const { selection, others } = planFor(query)
    const { limit = 0, offset = 0 } = query
    const list = collection.select(selection)
    const headers: Record<string, string> = { 'X-Total-Count': String(list.size) }
    const links = pageLinks(`<${path}?${others}limit=${limit}&offset=`, limit, offset, list.size)
    if (links.length <= MAX_LINKS_LENGTH) headers.Link = links
    return { items: list.slice(offset, limit), headers }
  }
}

function toPlan<R extends Identified, Q extends PageQuery>(listing: Listing<R, Q>, query: Q): Plan<R> {
  const { kept, group, filters } = listing.narrow(query)
  const order = orderBy(query.sort, listing.sortFields)
  return {
    selection: toSelection({ group, where: every(filters), order }),
    others: toQuery({ ...kept, sort: order?.key }),
  }
}

/** Clients refuse answers with huge headers, and four links repeat a filter of any length four times. */
const MAX_LINKS_LENGTH = 8000

/** `start` is how each of them begins, up to the offset. */
function pageLinks(start: string, limit: number, offset: number, total: number): string {
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit
  let links = `${start}0>; rel="first"`
  if (offset > 0) links += `, ${start}${Math.max(0, Math.min(offset - limit, last))}>; rel="prev"`
  if (offset + limit < total) links += `, ${start}${offset + limit}>; rel="next"`
  return `${links}, ${start}${last}>; rel="last"`
}

/** With an ampersand behind each of them. */
function toQuery(kept: Kept): string {
  let query = ''
  for (const [name, value] of Object.entries(kept)) {
    if (value === undefined) continue
    for (const each of typeof value === 'string' ? [value] : value) query += `${name}=${toQueryText(each)}&`
  }
  return query
}

function toQueryText(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
}

/** A condition with a key that says which one it is, so that the list it makes can be kept. */
export interface Filter<R> {
  readonly key: string
  readonly test: (record: R) => boolean
}

/** The filters that were asked for, as one; undefined where there are none. */
function every<R>(filters: readonly (Filter<R> | undefined)[]): Filter<R> | undefined {
  const asked = filters.filter((filter) => filter !== undefined)
  if (asked.length < 2) return asked[0]
  return {
    key: JSON.stringify(asked.map(({ key }) => key)),
    test: (record) => asked.every(({ test }) => test(record)),
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

/** The fields a list can be sorted by. Ids are compared as the integers they are; the first is the list's own order. */
export interface SortFields<R> {
  readonly ids: Readonly<Record<string, (record: R) => Id | null>>
  readonly values: Readonly<Record<string, Reader<R>>>
}

/**
 * The order a `sort` parameter asks for. In both directions missing values come last and equal ones follow the id, so
 * that paging through them shows each once. Undefined for the order every list is in by itself.
 */
function orderBy<R extends Identified>(
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
    const order = a === null || b === null ? Number(a === null) - Number(b === null) : compare(a, b)
    return order || compareIds(left.id, right.id)
  }
}
