import type { Contract } from '../../document/contract/contract.js'
import type { ResourceOperation } from '../../document/resources/resource.js'
import { partsOf } from '../../document/schema/facts.js'
import { readPage } from '../../engine/crud/paging.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'

/** For a list without a maximum in the OpenAPI document. */
const DEFAULT_SIZE = 100

/** A resource whose records are in lists. */
export interface ListedResource extends ServiceResource {
  readonly operations: ServiceResource['operations'] & { readonly list: ResourceOperation }
}

export function isListed(resource: ServiceResource): resource is ListedResource {
  return resource.operations.list !== undefined
}

export interface PageQueries {
  /** How many records a page has at most. */
  readonly size: number
  /** Whether a page with this many records may not be all, and nothing can be asked for the others. */
  isCut(count: number): boolean
  /** The target of the first page. */
  readonly first: string
  /** The target of the page after this many pages with this many records; undefined if only the page can say it. */
  next(pages: number, records: number, lastId: unknown): string | undefined
  /** The target of the page that a page names with a cursor; undefined if that is an address. */
  at(cursor: string): string | undefined
}

/** How to request the pages of a list. `limit` is how many records are wanted, and `selection` what every query has. */
export function createPageQueries(
  { list, operations }: ListedResource,
  path: string,
  contract: Contract,
  { limit, selection }: { readonly limit: number; readonly selection: Selection },
): PageQueries {
  const { size: sizeName, position, isById, style } = list?.paging ?? {}
  const parameters = contract.operationById(operations.list.operationId)?.queryParameters ?? []
  const maximum = parameters.find(({ name }) => name === sizeName)?.schema?.maximum
  const size = Math.min(limit, maximum ?? DEFAULT_SIZE)
  const isCounted = position !== undefined && style !== 'cursor'
  const records = { size, idAt: () => undefined, findId: () => undefined }
  const { toQuery } = readPage(list?.paging, sizeName === undefined ? {} : { [sizeName]: size }, records)
  const toTarget = (...queries: readonly (readonly [string, string])[]) => {
    const sized = sizeName === undefined || isCounted ? [] : [[sizeName, String(size)] as const]
    return join(
      path,
      String(new URLSearchParams([...Object.entries(selection), ...sized, ...queries].map(([...pair]) => pair))),
    )
  }
  const atOffset = (offset: number) => join(join(path, toQuery(offset)), String(new URLSearchParams(selection)))
  return {
    size,
    isCut: (count) => sizeName !== undefined && position === undefined && count >= size,
    first: isCounted ? atOffset(0) : toTarget(),
    next(pages, records, lastId) {
      if (isCounted) return atOffset(style === 'page' ? pages * size : records)
      return isById && position !== undefined && lastId !== undefined ? toTarget([position, String(lastId)]) : undefined
    },
    at: (cursor) =>
      position === undefined || isCounted || /^(https?:|[/?])/.test(cursor) ? undefined : toTarget([position, cursor]),
  }
}

function join(target: string, query: string): string {
  return query === '' ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`
}

/** The filters of a query, with their values. */
export type Selection = Readonly<Record<string, string>>

interface Selections {
  /** Together, they select every record. */
  readonly selections: readonly Selection[]
  /** What is selected in each of them, because the other values are not known. */
  readonly only: readonly string[]
}

/** A list may select some of its records unless it is asked for others: all of them, or one kind after the other. */
export function selectAll({ list, fields, operations }: ServiceResource, contract: Contract): Selections {
  const parameters = contract.operationById(operations.list?.operationId ?? '')?.queryParameters ?? []
  let selections: readonly Selection[] = [{}]
  const only: string[] = []
  for (const { parameter, property, everything, values, initial } of list?.filters ?? []) {
    if (initial === undefined) continue
    const { schema = {} } = fields.find((field) => field.property === property) ?? {}
    const accepted = parameters.find(({ name }) => name === parameter)?.schema.enum
    const possible = [...partsOf(schema)].flatMap((part) => part.enum ?? [])
    const wanted = everything?.slice(0, 1) ?? values ?? accepted ?? possible
    const isShort = everything === undefined && possible.some((value) => !wanted.includes(value))
    if (isShort) only.push(`${parameter} ${wanted.join(', ')}`)
    if (wanted.length === 0) only.push(`${parameter} ${String(initial)}`)
    else selections = selections.flatMap((each) => wanted.map((value) => ({ ...each, [parameter]: String(value) })))
  }
  return { selections, only }
}
