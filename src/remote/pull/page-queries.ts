import type { Contract } from '../../engine/contract/contract.js'
import { readPage } from '../../engine/resources/paging.js'
import type { ListedResource } from './listed-resources.js'

/** For a list without a maximum in the OpenAPI document. */
const DEFAULT_SIZE = 100

export interface PageQueries {
  /** How many records a page has at most. */
  readonly size: number
  /** The target of the first page. */
  readonly first: string
  /** The target of the page after this many pages with this many records; undefined if only a link can say it. */
  next(pages: number, records: number): string | undefined
}

/** How to request the pages of a list. `limit` is how many records are wanted. */
export function createPageQueries({ path, list, operations }: ListedResource, contract: Contract, limit: number) {
  const paging = list?.paging?.position === undefined ? undefined : list.paging
  const parameters = contract.operationById(operations.list.operationId)?.queryParameters ?? []
  const maximum = parameters.find(({ name }) => name === paging?.size)?.schema?.maximum
  const size = Math.min(limit, maximum ?? DEFAULT_SIZE)
  const records = { size, idAt: () => undefined, findId: () => undefined }
  const { toQuery } = readPage(paging, paging?.size === undefined ? {} : { [paging.size]: size }, records)
  const queries: PageQueries = {
    size,
    first: paging === undefined || paging.style === 'cursor' ? path : `${path}?${toQuery(0)}`,
    next(pages, records) {
      if (paging === undefined || paging.style === 'cursor') return undefined
      return `${path}?${toQuery(paging.style === 'page' ? pages * size : records)}`
    },
  }
  return queries
}
