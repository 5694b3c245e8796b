import type { Paging } from './resource.js'

/** Which part of a list is requested. */
export interface Page {
  readonly offset: number
  readonly size: number
  /** The query of another page, which starts at this offset. */
  readonly toQuery: (offset: number) => string
  /** The cursor of the page that starts at this offset; missing if pages have no cursors. */
  readonly cursorAt?: (offset: number) => string
}

type Query = Readonly<Record<string, unknown>>

/** Without a parameter, a page has this many records. A document may have another default. */
const DEFAULT_SIZE = 20

/** Without paging, the page is the whole list. */
export function readPage(paging: Paging | undefined, query: Query, list: { readonly size: number }): Page {
  if (paging === undefined) return { offset: 0, size: list.size, toQuery: () => '' }
  const { style, position, size: sizeName, firstPage = 1 } = paging
  const size = toCount(sizeName === undefined ? undefined : query[sizeName]) || DEFAULT_SIZE
  const given = query[position]
  const sizeQuery = sizeName === undefined ? '' : `${sizeName}=${size}&`
  if (style === 'page') {
    const page = Math.max(toCount(given) ?? firstPage, firstPage)
    const toQuery = (offset: number) => `${sizeQuery}${position}=${Math.floor(offset / size) + firstPage}`
    return { offset: (page - firstPage) * size, size, toQuery }
  }
  const toQuery = (offset: number) => `${sizeQuery}${position}=${offset}`
  const offset = toCount(given) ?? 0
  return style === 'offset' ? { offset, size, toQuery } : { offset, size, toQuery, cursorAt: String }
}

/** A number, or digits as a cursor has them. */
function toCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) ? count : undefined
}

/** Clients reject huge headers, and the four links repeat a filter of any length. */
const MAX_LINKS_LENGTH = 8000

/** The header `Link`. `start` is the start of every link, up to the page. Undefined if it would be too long. */
export function pageLinks(start: string, { offset, size, toQuery }: Page, total: number): string | undefined {
  const last = total === 0 ? 0 : Math.floor((total - 1) / size) * size
  const link = (at: number, relation: string) => `${start}${toQuery(at)}>; rel="${relation}"`
  const links = [link(0, 'first')]
  if (offset > 0) links.push(link(Math.max(0, Math.min(offset - size, last)), 'prev'))
  if (offset + size < total) links.push(link(offset + size, 'next'))
  links.push(link(last, 'last'))
  const header = links.join(', ')
  return header.length <= MAX_LINKS_LENGTH ? header : undefined
}
