import type { Contract } from '../../document/contract/contract.js'
import type { ResourceOperation } from '../../document/resources/resource.js'
import { LINK_RELATIONS } from '../../document/words/paging.js'
import { readNextPage } from '../../engine/crud/paging.js'
import { readIdOf } from '../../engine/resources/record-forms.js'
import { stringifyJson } from '../../lib/json.js'
import type { Connection } from '../server/connection.js'
import { parseLinks } from '../server/link-header.js'
import { toGet } from '../server/send-request.js'
import type { ServiceResponse } from '../server/service-response.js'
import { createPageQueries, type ListedResource, type Selection } from './page-queries.js'
import { PullError, requireList } from './require-list.js'
import { sendsIds } from './routes.js'

/** A million records in pages of a usual size, more than a fixture file can hold. */
const MAX_PAGES = 10_000

interface Page {
  readonly items: readonly unknown[]
  /** How many records the whole list has, if the service says so. */
  readonly total: number | undefined
  /** The address of the next page, or its position, if the service names it. */
  readonly next: string | undefined
  readonly hasMore: boolean | undefined
  /** The service names a next page in a header. A body that requires one may have it on the last page, too. */
  readonly isLinked: boolean
  /** The service names other pages, so it would name a next one. */
  readonly hasLinks: boolean
}

interface ListSource {
  readonly service: Connection
  readonly contract: Contract
  readonly baseUrl: string
  /** How many records are wanted. */
  readonly limit: number
  /** What every query has. */
  readonly selection: Selection
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
export async function* readPages(
  resource: ListedResource,
  path: string,
  { service, contract, baseUrl, ...wanted }: ListSource,
) {
  const { operations } = resource
  const queries = createPageQueries(resource, path, contract, wanted)
  const { size } = queries
  const requested = new Set<string>()
  const seen = new Set<string>()
  let received = 0
  let total: number | undefined
  let hasLinks = false
  let target: string | undefined = queries.first

  while (target !== undefined) {
    const number = requested.size + 1
    const fail = (problem: string): never => {
      throw new PullError(`GET ${path} returned contradictory pages: ${problem} on page ${number}`)
    }
    if (requested.has(target)) fail('an earlier page is the next one')
    if (number > MAX_PAGES) throw new PullError(`GET ${path} has more than ${MAX_PAGES} pages`)
    requested.add(target)
    const response = await service.send(operations.list.operationId, toGet(target))
    const page = readPage(requireList(path, response, operations.list), response, operations.list)
    const next = page.next === undefined ? undefined : (queries.at(page.next) ?? toTarget(page.next, baseUrl, path))
    const items = page.items.map((item): ListItem => ({ item, occurrence: findOccurrence(resource, item, seen) }))

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
    if (items.length === 0 && page.isLinked) fail('an empty page has a next one')
    if (items.length === 0 && total !== undefined && received < total) {
      fail(`the list ends after ${received} of ${total} records`)
    }
    yield { items, total, isCut: page.hasMore !== false && next === undefined && queries.isCut(items.length) }
    if (items.length === 0) return
    const isComplete = total === undefined ? hasLinks : received >= total
    // Some services name the number of records of the page as the total.
    const mayBeTotalOfPage = number === 1 && !hasLinks && items.length === size
    const isEnd = page.hasMore === false || (isComplete && !mayBeTotalOfPage)
    const guess = queries.next(number, received, readIdOf(resource, page.items.at(-1)))
    target = next ?? (isEnd ? undefined : guess)
  }
}

function findOccurrence(resource: ListedResource, item: unknown, seen: Set<string>): ListItem['occurrence'] {
  const id = sendsIds(resource) ? readIdOf(resource, item) : stringifyJson(item)
  if (id === undefined) return 'without id'
  if (seen.has(id)) return 'repeated'
  seen.add(id)
  return 'first'
}

function readPage(
  items: readonly unknown[],
  { headers, value }: ServiceResponse,
  { response }: ResourceOperation,
): Page {
  const links = parseLinks(headers.get('Link') ?? '').filter(({ relation }) => LINK_RELATIONS.includes(relation))
  const next = links.find(({ relation }) => relation === 'next')
  const count = headers.get('X-Total-Count') ?? ''
  const described = readNextPage(value, response?.envelope ?? [])
  return {
    items,
    total: /^(?:0|[1-9]\d{0,14})$/.test(count) ? Number(count) : undefined,
    next: described.hasMore === false ? undefined : (next?.target ?? described.next),
    hasMore: described.hasMore,
    isLinked: next !== undefined,
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
