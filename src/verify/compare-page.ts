import { parseLinks } from './compare-headers.js'
import type { Note } from './findings.js'
import type { OperationInfo } from './operations.js'
import type { ServiceResponse } from './sender.js'
import { shorten, showHeader } from './show.js'

const DEFAULT_LIMIT = 20

/** A page of a list, and what is known about the list. */
export interface Page {
  readonly operation: OperationInfo
  /** The path of the base address. */
  readonly basePath: string
  readonly query: URLSearchParams
  /** How many items match, if that is known. */
  readonly total?: number | undefined
  /** The total was wrong before, so that nothing follows from it. */
  readonly totalIsWrong: boolean
}

/**
 * Whether the length, `X-Total-Count` and `Link` of a page agree. Two pages are not compared, since other clients may
 * change the list in between.
 */
export function comparePage(page: Page, { headers }: ServiceResponse, value: unknown, note: Note): void {
  if (!Array.isArray(value)) return
  const { limit, offset } = boundsOf(page.query)
  if (value.length > limit) note('query limit', `at most ${limit} items`, `${value.length} items`)
  const stated = compareTotal(page, headers.get('X-Total-Count'), value.length, note)
  const total = page.total ?? (page.totalIsWrong ? undefined : stated)
  if (total === undefined) return
  const onPage = Math.min(limit, total - offset)
  if (!page.query.has('limit') && value.length < onPage) {
    note('query limit', `${onPage} items without a limit`, `${value.length} items`)
  }
  const header = headers.get('Link')
  const expected = findWrongLink(page, header, total)
  if (expected !== undefined) note('header Link', expected, showHeader(header))
}

function boundsOf(query: URLSearchParams): { limit: number; offset: number } {
  return { limit: Number(query.get('limit') ?? DEFAULT_LIMIT), offset: Number(query.get('offset') ?? 0) }
}

/** The total in the header, unless it is wrong. */
function compareTotal(page: Page, header: string | null, items: number, note: Note): number | undefined {
  const { limit, offset } = boundsOf(page.query)
  const wrong = (expected: string): undefined => void note('header X-Total-Count', expected, showHeader(header))
  if (header === null || !/^(?:0|[1-9]\d{0,14})$/.test(header)) return wrong('a whole number')
  const total = Number(header)
  if (page.total !== undefined && total !== page.total) return wrong(String(page.total))
  if (items > 0 && total < offset + items) return wrong(`${offset + items} or more`)
  const isLastPage = page.query.has('limit') && items > 0 && items < limit
  return isLastPage && total !== offset + items ? wrong(String(offset + items)) : total
}

/** What is expected of the first link that is missing, superfluous or leads to the wrong page. */
function findWrongLink(page: Page, header: string | null, total: number): string | undefined {
  const { limit, offset } = boundsOf(page.query)
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit
  const offsets: Readonly<Record<string, number | undefined>> = {
    first: 0,
    // Beyond the last page the contract does not say which page is the previous one.
    ...(offset <= last && { prev: offset > 0 ? Math.max(0, offset - limit) : undefined }),
    next: offset + limit < total ? offset + limit : undefined,
    last,
  }
  const links = new Map(parseLinks(header ?? '').map(({ relation, target }) => [relation, target]))
  for (const [relation, target] of Object.entries(offsets)) {
    const received = links.get(relation)
    if (target === undefined && received !== undefined) return `no link with ${relation}`
    if (target !== undefined && (received === undefined || !leadsTo(page, received, limit, target))) {
      return `${relation} at ${addressOf(page, limit, target)}`
    }
  }
  return undefined
}

/** Whether a link leads to another page of the same list, with the same filters and order. */
function leadsTo({ operation, basePath, query }: Page, target: string, limit: number, offset: number): boolean {
  const [path, text = ''] = target.split('?', 2)
  const linked = new URLSearchParams(text)
  const bounds = boundsOf(linked)
  if (path !== `${basePath}${operation.path}` || bounds.limit !== limit || bounds.offset !== offset) return false
  const sortOf = (each: URLSearchParams): string | null => each.get('sort') ?? operation.defaultSort ?? null
  return sortOf(linked) === sortOf(query) && filtersOf(linked) === filtersOf(query)
}

function filtersOf(query: URLSearchParams): string {
  const filters = [...query].filter(([name]) => !['limit', 'offset', 'sort'].includes(name))
  return JSON.stringify([...new Set(filters.map((pair) => JSON.stringify(pair)))].sort())
}

function addressOf({ operation, basePath, query }: Page, limit: number, offset: number): string {
  const address = new URLSearchParams(query)
  address.set('limit', String(limit))
  address.set('offset', String(offset))
  return `${basePath}${operation.path}?${address}`
}

/** Whether a page has exactly these items in this order. */
export function compareIds(aspect: string, received: readonly string[], expected: readonly string[], note: Note): void {
  if (received.join() !== expected.join()) note(aspect, showIds(expected), showIds(received))
}

/** The ids of a page's items in decimal digits; undefined if an item has none. */
export function idsOf(value: unknown, key = 'id'): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const ids = value.map((item) => (item as Record<string, unknown> | null)?.[key])
  return ids.every((id) => typeof id === 'number' || typeof id === 'bigint') ? ids.map(String) : undefined
}

function showIds(ids: readonly string[]): string {
  return ids.length === 0 ? 'no items' : `items ${shorten(ids.join(', '))}`
}
