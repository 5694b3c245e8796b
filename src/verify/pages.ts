import type { Described } from './catalogue.js'
import { type Differ, shorten, showHeader } from './differ.js'
import { parseLinks } from './headers.js'
import type { Answer } from './sender.js'

const DEFAULT_LIMIT = 20

/** A page that was asked for, and what is known about the list it is of. */
export interface Page {
  readonly described: Described
  /** The path of the base address. */
  readonly base: string
  readonly query: URLSearchParams
  /** How many items match, where they are all our own. */
  readonly total?: number | undefined
  /** The total has been found wrong before, so nothing can be concluded from it. */
  readonly totalIsWrong: boolean
}

/** Whether length, `X-Total-Count` and `Link` of one page agree. Other clients may change the list between two pages. */
export function judgePage(page: Page, { headers }: Answer, value: unknown, differ: Differ): void {
  if (!Array.isArray(value)) return
  const { limit, offset } = boundsOf(page.query)
  if (value.length > limit) differ('query limit', `at most ${limit} items`, `${value.length} items`)
  const total = judgeTotal(page, headers.get('X-Total-Count'), value.length, differ)
  const known = page.total ?? (page.totalIsWrong ? undefined : total)
  if (known === undefined) return
  if (!page.query.has('limit') && value.length < Math.min(limit, known - offset)) {
    differ('query limit', `${Math.min(limit, known - offset)} items without a limit`, `${value.length} items`)
  }
  const header = headers.get('Link')
  const fault = findLinkFault(page, header, known)
  if (fault !== undefined) differ('header Link', fault, showHeader(header))
}

function boundsOf(query: URLSearchParams): { limit: number; offset: number } {
  return { limit: Number(query.get('limit') ?? DEFAULT_LIMIT), offset: Number(query.get('offset') ?? 0) }
}

/** The total that the header names, where it can be right. */
function judgeTotal(page: Page, header: string | null, items: number, differ: Differ): number | undefined {
  const { limit, offset } = boundsOf(page.query)
  const wrong = (expected: string): undefined => void differ('header X-Total-Count', expected, showHeader(header))
  if (header === null || !/^(?:0|[1-9]\d{0,14})$/.test(header)) return wrong('a whole number')
  const total = Number(header)
  if (page.total !== undefined && total !== page.total) return wrong(String(page.total))
  if (items > 0 && total < offset + items) return wrong(`${offset + items} or more`)
  // A page that was not filled is the last one.
  const isLast = page.query.has('limit') && items > 0 && items < limit
  return isLast && total !== offset + items ? wrong(String(offset + items)) : total
}

/** Which link should be there or should not, or should lead elsewhere. */
function findLinkFault(page: Page, header: string | null, total: number): string | undefined {
  const { limit, offset } = boundsOf(page.query)
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit
  const wanted: Readonly<Record<string, number | undefined>> = {
    first: 0,
    // Behind the end there is a page before, but which one it is, is not said.
    ...(offset <= last && { prev: offset > 0 ? Math.max(0, offset - limit) : undefined }),
    next: offset + limit < total ? offset + limit : undefined,
    last,
  }
  const links = new Map(parseLinks(header ?? '').map(({ relation, target }) => [relation, target]))
  for (const [relation, target] of Object.entries(wanted)) {
    const given = links.get(relation)
    if (target === undefined && given !== undefined) return `no link with ${relation}`
    if (target !== undefined && (given === undefined || !leadsTo(page, given, limit, target))) {
      return `${relation} at ${addressOf(page, limit, target)}`
    }
  }
  return undefined
}

/** Whether a link is the same list with the same filters and order, at another place. */
function leadsTo({ described, base, query }: Page, target: string, limit: number, offset: number): boolean {
  const [path, text = ''] = target.split('?', 2)
  const given = new URLSearchParams(text)
  const bounds = boundsOf(given)
  if (path !== `${base}${described.path}` || bounds.limit !== limit || bounds.offset !== offset) return false
  const sortOf = (each: URLSearchParams): string | null => each.get('sort') ?? described.defaultSort ?? null
  return sortOf(given) === sortOf(query) && filtersOf(given) === filtersOf(query)
}

function filtersOf(query: URLSearchParams): string {
  const filters = [...query].filter(([name]) => !['limit', 'offset', 'sort'].includes(name))
  return JSON.stringify([...new Set(filters.map((pair) => JSON.stringify(pair)))].sort())
}

function addressOf({ described, base, query }: Page, limit: number, offset: number): string {
  const address = new URLSearchParams(query)
  address.set('limit', String(limit))
  address.set('offset', String(offset))
  return `${base}${described.path}?${address}`
}

/** Whether a page shows exactly these of our own items, in this order. */
export function judgeIds(aspect: string, received: readonly string[], wanted: readonly string[], differ: Differ): void {
  if (received.join() !== wanted.join()) differ(aspect, showIds(wanted), showIds(received))
}

/** The ids of a page's items, digit for digit; undefined where one has none. */
export function idsOf(value: unknown, key = 'id'): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const ids = value.map((item) => (item as Record<string, unknown> | null)?.[key])
  return ids.every((id) => typeof id === 'number' || typeof id === 'bigint') ? ids.map(String) : undefined
}

function showIds(ids: readonly string[]): string {
  return ids.length === 0 ? 'no items' : `items ${shorten(ids.join(', '))}`
}
