import { type IdKey, toIdKey } from '../../lib/int64.js'
import { ID_FIELDS, isRecord, type ListName } from '../../petstore/fixtures/lists.js'
import type { Connection } from '../connection.js'
import { parseLinks } from '../link-header.js'
import { toGet } from '../send-request.js'
import type { ServiceResponse } from '../service-response.js'
import { LISTS } from './lists.js'
import { PullError } from './pull-error.js'
import { requireList } from './require-list.js'

/** The maximum of the OpenAPI document. */
const PAGE_SIZE = 100

/** A million records of a service that follows the OpenAPI document, more than a fixture file can hold. */
const MAX_PAGES = 10_000

interface Page {
  readonly items: readonly unknown[]
  /** How many records the whole list has, if the service says so. */
  readonly total: number | undefined
  /** The target of the next page, if the service names one. */
  readonly next: string | undefined
  /** The service names other pages, so it would name a next one. */
  readonly hasLinks: boolean
}

interface ListSource {
  readonly service: Connection
  readonly baseUrl: string
  /** How many records are wanted. */
  readonly limit: number
}

/** A record, and whether its id has been read before. */
interface ListItem {
  readonly item: unknown
  readonly occurrence: 'first' | 'repeated' | 'without id'
}

/**
 * Reads a list page by page. Follows `Link`, or counts the offset up. Throws if the pages contradict each other, since
 * records could be missing then.
 */
export async function* readPages(list: ListName, { service, baseUrl, limit }: ListSource) {
  const { path, list: operation } = LISTS[list]
  const size = Math.min(limit, PAGE_SIZE)
  const pageAt = (offset: number): string => `${path}?limit=${size}&offset=${offset}`
  const requested = new Set<string>()
  const seen = new Set<IdKey>()
  let received = 0
  let total: number | undefined
  let hasLinks = false
  let target: string | undefined = pageAt(0)

  while (target !== undefined) {
    const number = requested.size + 1
    const fail = (problem: string): never => {
      throw new PullError(`GET ${path} returned contradictory pages: ${problem} on page ${number}`)
    }
    if (requested.has(target)) fail('an earlier page is the next one')
    if (number > MAX_PAGES) throw new PullError(`GET ${path} has more than ${MAX_PAGES} pages`)
    requested.add(target)
    const response = await service.send(operation, toGet(target))
    const page = readPage(requireList(path, response), response, baseUrl, path)
    const { next } = page
    const items = page.items.map((item): ListItem => ({ item, occurrence: findOccurrence(list, item, seen) }))

    if (number > 1 && items.length > 0 && !items.some(({ occurrence }) => occurrence === 'first')) {
      // It returns the whole list whatever it is asked for, and has not announced another page.
      const isWhole = total === undefined ? received !== size : received === total
      if (number === 2 && isWhole && !hasLinks && next === undefined) return
      fail('no new records')
    }
    total ??= page.total
    if (page.total !== undefined && page.total !== total) {
      fail(`X-Total-Count changed from ${total} to ${page.total}`)
    }
    hasLinks ||= page.hasLinks
    received += items.length
    if (total !== undefined && received > total) fail(`more records than the ${total} of X-Total-Count`)
    if (items.length === 0 && next !== undefined) fail('an empty page has a next one')
    if (items.length === 0 && total !== undefined && received < total) {
      fail(`the list ends after ${received} of ${total} records`)
    }
    yield { items, total }
    if (items.length === 0) return
    const isComplete = total === undefined ? hasLinks : received >= total
    // Some services name the number of records of the page as the total.
    const mayBeTotalOfPage = number === 1 && !hasLinks && items.length === size
    const isEnd = isComplete && !mayBeTotalOfPage
    target = next ?? (isEnd ? undefined : pageAt(received))
  }
}

function findOccurrence(list: ListName, item: unknown, seen: Set<IdKey>): ListItem['occurrence'] {
  const id = toIdKey(isRecord(item) ? item[ID_FIELDS[list]] : undefined)
  if (id === undefined) return 'without id'
  if (seen.has(id)) return 'repeated'
  seen.add(id)
  return 'first'
}

const PAGE_RELATIONS = ['first', 'prev', 'previous', 'next', 'last']

function readPage(items: readonly unknown[], { headers }: ServiceResponse, baseUrl: string, path: string): Page {
  const links = parseLinks(headers.get('Link') ?? '').filter(({ relation }) => PAGE_RELATIONS.includes(relation))
  const next = links.find(({ relation }) => relation === 'next')
  const count = headers.get('X-Total-Count') ?? ''
  return {
    items,
    total: /^(?:0|[1-9]\d{0,14})$/.test(count) ? Number(count) : undefined,
    next: next && toTarget(next.target, baseUrl, path),
    hasLinks: links.length > 0,
  }
}

/** Only the query of a link is used, because a proxy may change scheme, port and path. Another host is refused. */
function toTarget(link: string, baseUrl: string, path: string): string {
  const list = new URL(`${baseUrl}${path}`)
  const next = URL.canParse(link, list) ? new URL(link, list) : undefined
  if (next?.hostname === list.hostname && next.pathname.endsWith(path)) return `${path}${next.search}`
  const where = next === undefined ? 'an invalid address' : `${next.origin}${next.pathname}`
  throw new PullError(`GET ${path} names ${where} as its next page, which is not the same list`)
}
