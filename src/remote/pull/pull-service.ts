import type { Fixture } from '../../petstore/fixtures/format.js'
import { LIST_NAMES, type ListName } from '../../petstore/fixtures/lists.js'
import { CannotCheck } from '../cannot-check.js'
import { connectToService } from '../connection.js'
import type { ServiceOptions } from '../send-request.js'
import { dropContradictions } from './drop-contradictions.js'
import { LISTS, pluralOf } from './lists.js'
import { addMissingCategories } from './missing-categories.js'
import { readPages } from './pages.js'
import { PullError } from './pull-error.js'
import { createRecordFilter, type RecordFilter } from './record-filter.js'
import { MissingOperation } from './require-list.js'

/** The data of a service, or what is known of it. */
export interface Pulled {
  readonly fixture: Fixture
  readonly omissions: RecordFilter['omissions']
  /** What else is not as in the service, in sentences. */
  readonly notes: readonly string[]
}

/** `total` is missing if the service does not say it. */
export type OnPage = (list: ListName, count: number, total: number | undefined) => void

export interface PullOptions extends ServiceOptions {
  /** The maximum number of records of each kind. Default: all. */
  readonly limit?: number | undefined
  /** The maximum size of the fixture file. */
  readonly maxBytes: number
  readonly signal?: AbortSignal
  /** Called after each page. */
  readonly onPage?: OnPage | undefined
}

/** Reads all lists of a service. Sends nothing but GET. */
export async function pullService(options: PullOptions): Promise<Pulled> {
  const { baseUrl, limit = Number.POSITIVE_INFINITY, maxBytes, signal, onPage } = options
  const filter = createRecordFilter(maxBytes)
  const source = { service: connectToService(options, signal), baseUrl, limit }
  const fixture: Fixture = { categories: [], pets: [], inventory: [], orders: [] }
  const missing: [list: ListName, message: string][] = []

  async function readList(list: ListName): Promise<void> {
    const records: object[] = fixture[list]
    for await (const { items, total } of readPages(list, source)) {
      for (const { item, occurrence } of items) {
        if (records.length >= limit) return
        if (occurrence === 'repeated') {
          filter.leaveOut(list, item, 'its id was read before')
          continue
        }
        const record = filter.accept(list, item)
        if (record !== undefined) records.push(record)
      }
      onPage?.(list, records.length, total)
      if (records.length >= limit) return
    }
  }

  for (const list of LIST_NAMES) {
    try {
      await readList(list)
    } catch (error) {
      if (error instanceof CannotCheck) throw new PullError(`GET ${baseUrl}${LISTS[list].path}: ${error.message}`)
      if (!(error instanceof MissingOperation) || fixture[list].length > 0) throw error
      missing.push([list, error.message])
    }
  }
  if (missing.length === LIST_NAMES.length) {
    throw new PullError(`${missing[0]?.[1]}; is the base URL right, including its path?`)
  }
  const notes = missing.map(([list, message]) => `The ${pluralOf(list)} are missing: ${message}.`)
  if (missing.some(([list]) => list === 'categories')) notes.push(...addMissingCategories(fixture, filter))
  return { fixture: dropContradictions(fixture, filter), omissions: filter.omissions, notes }
}
