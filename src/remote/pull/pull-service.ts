import type { FixtureFormat } from '../../engine/data/format.js'
import { CannotCheck } from '../cannot-check.js'
import { connectToService } from '../connection.js'
import type { ServiceOptions } from '../send-request.js'
import { dropContradictions } from './drop-contradictions.js'
import { type ListedResource, listedResources, type PulledFixture } from './listed-resources.js'
import { addMissingRecords } from './missing-records.js'
import { readPages } from './pages.js'
import { PullError } from './pull-error.js'
import { createRecordFilter, type RecordFilter } from './record-filter.js'
import { MissingOperation } from './require-list.js'
import { pluralOf } from './words.js'

/** The data of a service, or what is known of it. */
export interface Pulled {
  readonly fixture: PulledFixture
  readonly omissions: RecordFilter['omissions']
  /** What else is not as in the service, in sentences. */
  readonly notes: readonly string[]
}

/** What has to be known of a service to pull its data. */
export interface PulledService {
  readonly title: string
  readonly fixtureFormat: FixtureFormat
}

/** `total` is missing if the service does not say it. */
export type OnPage = (resource: ListedResource, count: number, total: number | undefined) => void

export interface PullOptions extends ServiceOptions {
  readonly service: PulledService
  /** The maximum number of records of each resource. Default: all. */
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
  const { fixtureFormat } = options.service
  const { contract } = fixtureFormat
  const resources = listedResources(fixtureFormat)
  const filter = createRecordFilter(fixtureFormat, maxBytes)
  const source = { service: connectToService(options, signal), contract, baseUrl, limit }
  const fixture: PulledFixture = Object.fromEntries(resources.map(({ name }) => [name, []]))
  const missing: { readonly resource: ListedResource; readonly message: string }[] = []

  async function readList(resource: ListedResource): Promise<void> {
    const records = recordsOf(resource)
    for await (const { items, total } of readPages(resource, source)) {
      for (const { item, occurrence } of items) {
        if (records.length >= limit) return
        if (occurrence === 'repeated') {
          filter.leaveOut(resource, item, 'its id was read before')
          continue
        }
        const record = filter.accept(resource, item)
        if (record !== undefined) records.push(record)
      }
      onPage?.(resource, records.length, total)
      if (records.length >= limit) return
    }
  }

  const recordsOf = ({ name }: ListedResource) => fixture[name] as PulledFixture[string]

  for (const resource of resources) {
    try {
      await readList(resource)
    } catch (error) {
      if (error instanceof CannotCheck) throw new PullError(`GET ${baseUrl}${resource.path}: ${error.message}`)
      if (!(error instanceof MissingOperation) || recordsOf(resource).length > 0) throw error
      missing.push({ resource, message: error.message })
    }
  }
  if (missing.length === resources.length) {
    throw new PullError(`${missing[0]?.message}; is the base URL right, including its path?`)
  }
  const notes = [
    ...missing.map(({ resource, message }) => `The ${pluralOf(resource)} are missing: ${message}.`),
    ...missing.flatMap(({ resource }) => addMissingRecords(resource, fixture, resources, filter)),
  ]
  return { fixture: dropContradictions(fixture, fixtureFormat, filter), omissions: filter.omissions, notes }
}
