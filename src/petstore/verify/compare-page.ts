import { type Note, showHeader } from '../../tools/server/differences.js'
import { parseLinks } from '../../tools/server/link-header.js'
import type { OperationInfo } from '../../tools/verify/operations.js'

export const TOTAL = 'X-Total-Count'

/** A page of a list, and what is known about the list. */
export interface ListedPage {
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
export function comparePage(page: ListedPage, headers: Headers, items: unknown, note: Note): void {
  const { operation, query } = page
  if (!Array.isArray(items)) return
  const { size, limit, offset } = boundsOf(query, operation)
  if (items.length > limit) note(`query ${size}`, `at most ${limit} items`, `${items.length} items`)
  const stated = operation.described?.headers.includes(TOTAL)
    ? compareTotal(page, headers.get(TOTAL), items.length, note)
    : undefined
  const total = page.total ?? (page.totalIsWrong ? undefined : stated)
  if (total === undefined) return
  const onPage = Math.min(limit, total - offset)
  if (!query.has(size) && items.length < onPage) {
    note(`query ${size}`, `${onPage} items without a ${size}`, `${items.length} items`)
  }
  if (!operation.described?.headers.includes('Link')) return
  const header = headers.get('Link')
  const expected = findWrongLink(page, header, total)
  if (expected !== undefined) note('header Link', expected, showHeader(header))
}

/** Whether the pages of a list are counted in items. Others are not compared. */
export function hasOffsets({ role, resource }: OperationInfo): boolean {
  return role === 'list' && resource?.list?.paging?.style === 'offset'
}

/** The names of the parameters, and what they mean in a query. */
function boundsOf(query: URLSearchParams, { resource, contract }: OperationInfo) {
  const { size = 'limit', position = 'offset' } = resource?.list?.paging ?? {}
  const fallback =
    contract.queryParameters.find(({ name }) => name === size)?.schema.default ?? Number.POSITIVE_INFINITY
  return { size, position, limit: Number(query.get(size) ?? fallback), offset: Number(query.get(position) ?? 0) }
}

/** The total in the header, unless it is wrong. */
function compareTotal(page: ListedPage, header: string | null, items: number, note: Note): number | undefined {
  const { size, limit, offset } = boundsOf(page.query, page.operation)
  const wrong = (expected: string): undefined => void note(`header ${TOTAL}`, expected, showHeader(header))
  if (header === null || !/^(?:0|[1-9]\d{0,14})$/.test(header)) return wrong('a whole number')
  const total = Number(header)
  if (page.total !== undefined && total !== page.total) return wrong(String(page.total))
  if (items > 0 && total < offset + items) return wrong(`${offset + items} or more`)
  const isLastPage = page.query.has(size) && items > 0 && items < limit
  return isLastPage && total !== offset + items ? wrong(String(offset + items)) : total
}

/** What is expected of the first link that is missing, superfluous or leads to the wrong page. */
function findWrongLink(
  { operation, basePath, query }: ListedPage,
  header: string | null,
  total: number,
): string | undefined {
  const { size, position, limit, offset } = boundsOf(query, operation)
  const last = total === 0 ? 0 : Math.floor((total - 1) / limit) * limit
  const offsets: Readonly<Record<string, number | undefined>> = {
    first: 0,
    // Beyond the last page the contract does not say which page is the previous one.
    ...(offset <= last && { prev: offset > 0 ? Math.max(0, offset - limit) : undefined }),
    next: offset + limit < total ? offset + limit : undefined,
    last,
  }
  const links = new Map(parseLinks(header ?? '').map(({ relation, target }) => [relation, target]))
  for (const [relation, start] of Object.entries(offsets)) {
    const received = links.get(relation)
    if (start === undefined && received !== undefined) return `no link with ${relation}`
    if (start === undefined) continue
    const expected = new URLSearchParams(query)
    expected.set(size, String(limit))
    expected.set(position, String(start))
    const address = `${basePath}${operation.path}?${expected}`
    if (received === undefined || normalise(received, operation) !== normalise(address, operation)) {
      return `${relation} at ${address}`
    }
  }
  return undefined
}

/** The same for all addresses of a page, whatever they repeat, leave out or order differently. */
function normalise(address: string, operation: OperationInfo): string {
  const [path, text = ''] = address.split('?', 2)
  const query = new URLSearchParams(text)
  const { size, position, limit, offset } = boundsOf(query, operation)
  const sortedBy = operation.resource?.list?.sort ?? 'sort'
  const sort = query.get(sortedBy) ?? defaultOf(operation, sortedBy)
  const filters = [...query].filter(([name]) => ![size, position, sortedBy].includes(name)).map(String)
  return JSON.stringify([path, limit, offset, sort, [...new Set(filters)].sort()])
}

const defaultOf = ({ contract: { queryParameters } }: OperationInfo, name: string): unknown =>
  queryParameters.find((each) => each.name === name)?.schema.default
