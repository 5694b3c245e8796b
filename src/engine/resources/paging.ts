import { encodePart } from '../../lib/encode-part.js'
import { ApiError } from '../contract/errors.js'
import { isHeaderValue } from '../contract/header-rules.js'
import { DEFAULT_SIZE } from './list-parameters.js'
import type { Paging } from './resource.js'

/** Which part of a list is requested. */
export interface Page {
  readonly offset: number
  readonly size: number
  /** The query of another page, which starts at this offset. */
  readonly toQuery: (offset: number) => string
  /** What the position parameter has for the page that starts at this offset; missing if there is no such parameter. */
  readonly positionAt?: (offset: number) => string | number
  /** The same for the page before, whose parameter may be another one. */
  readonly previousAt?: (offset: number) => string | number
  readonly style: Paging['style']
  readonly firstPage: 0 | 1
}

type Query = Readonly<Record<string, unknown>>

/** The records that pages are cut from. */
export interface Pageable {
  readonly size: number
  /** The id of the record at a place, as a response has it. */
  idAt(offset: number): unknown
  /** The place of the record with an id. Undefined if there is none. */
  findId(id: unknown): number | undefined
}

/** Without paging, the page is the whole list. Throws a 400 error for a cursor that is none. */
export function readPage(paging: Paging | undefined, query: Query, list: Pageable): Page {
  const whole: Page = { offset: 0, size: list.size, toQuery: () => '', style: 'offset', firstPage: 1 }
  if (paging === undefined) return whole
  const { style, position, size: sizeName, firstPage = 1, defaultSize = DEFAULT_SIZE } = paging
  const wanted = toCount(sizeName === undefined ? undefined : query[sizeName])
  if (position === undefined) return { ...whole, size: wanted ?? list.size }
  const size = wanted || defaultSize
  const given = query[position]
  const sizeQuery = sizeName === undefined ? '' : `${sizeName}=${size}&`
  const toPage = (offset: number, positionAt: NonNullable<Page['positionAt']>, atSize = size): Page => ({
    offset,
    size: atSize,
    toQuery: (at) => `${sizeQuery}${position}=${encodePart(String(positionAt(at)))}`,
    positionAt,
    previousAt: paging.before === undefined ? positionAt : () => String(list.idAt(offset) ?? ''),
    style,
    firstPage,
  })
  if (style === 'page') {
    const page = Math.max(toCount(given) ?? firstPage, firstPage)
    return toPage((page - firstPage) * size, (at) => Math.floor(at / size) + firstPage)
  }
  if (style === 'offset') return toPage(toCount(given) ?? 0, (at) => at)
  if (!paging.isById) return toPage(readCursor(given, position), String)
  const idBefore = (at: number) => String(list.idAt(at - 1) ?? '')
  const end = paging.before === undefined ? undefined : findCursor(query[paging.before], paging.before, list)
  if (end !== undefined) return toPage(Math.max(0, end - size), idBefore, Math.min(size, end))
  const last = findCursor(given, position, list)
  return toPage(last === undefined ? 0 : last + 1, idBefore)
}

/** A cursor of the mock is a place in the list. */
function readCursor(given: unknown, parameter: string): number {
  const offset = given === undefined || given === '' ? 0 : toCount(given)
  if (offset === undefined) throw unknownCursor(parameter, given)
  return offset
}

function findCursor(given: unknown, parameter: string, list: Pageable): number | undefined {
  if (given === undefined || given === '') return undefined
  const found = list.findId(given)
  if (found === undefined) throw unknownCursor(parameter, given)
  return found
}

function unknownCursor(parameter: string, given: unknown): ApiError {
  const message = `query parameter ${parameter} is ${JSON.stringify(given)}, which no page has returned as a cursor.`
  return new ApiError(400, 'INVALID_REQUEST', message)
}

/** A number, or digits as a cursor has them. */
function toCount(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/** Where the other pages start. The previous and the next one may be missing. */
export function relatedOffsets({ offset, size }: Page, total: number) {
  const last = total === 0 ? 0 : Math.floor((total - 1) / Math.max(size, 1)) * size
  return {
    first: 0,
    ...(offset > 0 && { prev: Math.max(0, Math.min(offset - size, last)) }),
    ...(offset + size < total && { next: offset + size }),
    last,
  }
}

/** The header `Link`. Undefined if it would be too long: the four links repeat a filter of any length. */
export function pageLinks(toUrl: (offset: number) => string, page: Page, total: number): string | undefined {
  const links = Object.entries(relatedOffsets(page, total)).map(([relation, at]) => `<${toUrl(at)}>; rel="${relation}"`)
  const header = links.join(', ')
  return isHeaderValue(header) ? header : undefined
}
