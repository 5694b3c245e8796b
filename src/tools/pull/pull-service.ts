import type { ResourceOperation } from '../../document/resources/resource.js'
import type { FixtureEntry } from '../../engine/data/format.js'
import { compilePath } from '../../engine/resources/parents.js'
import { readIdOf } from '../../engine/resources/record-forms.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import { isObject } from '../../lib/values.js'
import { CannotCheck } from '../server/cannot-check.js'
import { connectToService } from '../server/connection.js'
import { type ServiceOptions, toGet } from '../server/send-request.js'
import { addMissingRecords, dropContradictions } from './missing-records.js'
import { isListed, type Selection, selectAll } from './page-queries.js'
import { readPages } from './pages.js'
import { createRecordFilter, type RecordFilter } from './record-filter.js'
import { MissingOperation, PullError, requireRecord } from './require-list.js'
import {
  createNumbering,
  type PathValues,
  type PulledFixture,
  type PulledService,
  parentOf,
  parentsInPath,
  placesOf,
  propertiesShown,
  type Route,
  routesOf,
  sendsIds,
} from './routes.js'
import { pluralOf } from './words.js'

/** The data of a service, or what is known of it. */
export interface Pulled {
  readonly fixture: PulledFixture
  readonly omissions: RecordFilter['omissions']
  /** What else is not as in the service, in sentences. */
  readonly notes: readonly string[]
}

/** `total` is missing if the service does not say it. */
export type OnPage = (resource: ServiceResource, count: number, total: number | undefined) => void

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

/** Reads all lists of a service, and records that are the only one of their kind. Sends nothing but GET. */
export async function pullService(options: PullOptions): Promise<Pulled> {
  const { baseUrl, limit = Number.POSITIVE_INFINITY, maxBytes, signal, onPage } = options
  const { fixtureFormat } = options.service
  const { contract, resources } = fixtureFormat
  const routes = routesOf(options.service)
  const filter = createRecordFilter(fixtureFormat, maxBytes)
  const connection = connectToService(options, signal)
  const fixture: PulledFixture = Object.fromEntries(resources.map(({ name }) => [name, []]))
  const recordsOf = ({ name }: ServiceResource) => fixture[name] as PulledFixture[string]

  const numberings = new Map(resources.map((resource) => [resource, createNumbering(resource)]))
  const notes: string[] = []
  /** By resource, why it was not read. */
  const reasons = new Map<ServiceResource, string>()

  function keep({ resource, via }: Route, values: PathValues, item: unknown): void {
    const known = recordsOf(resource)
    const toRecord = (given: FixtureEntry) =>
      numberings.get(resource)?.({ ...given, ...parentsInPath({ resource, via }, values, given) })
    const accepted = filter.accept(resource, isObject(item) ? toRecord(item) : item)
    if (accepted !== undefined) known.push(accepted)
  }

  async function readRecord(read: ResourceOperation, path: string): Promise<FixtureEntry> {
    return requireRecord(path, await connection.send(read.operationId, toGet(path)), read)
  }

  /** A record as a read shows it, if a list shows less. */
  async function complete({ via }: Route, values: PathValues, item: unknown): Promise<unknown> {
    const { read } = via.operations
    const id = readIdOf(via, item)
    if (read === undefined || id === undefined || !isObject(item) || !showsMore(via, options)) return item
    const path = compilePath(via.itemPath ?? via.path)({ ...values, [via.id.parameter ?? '']: id })
    try {
      return { ...item, ...(await readRecord(read, path)) }
    } catch (error) {
      if (error instanceof MissingOperation) return item
      throw error
    }
  }

  async function readPlace(route: Route, values: PathValues, selection: Selection): Promise<void> {
    const { resource, via } = route
    const { read } = via.operations
    const records = recordsOf(resource)
    const path = compilePath(via.path)(values)
    if (!isListed(via)) {
      if (read !== undefined) keep(route, values, await readRecord(read, path))
      return
    }
    const source = { service: connection, contract, baseUrl, limit, selection }
    for await (const { items, total, isCut } of readPages(via, path, source)) {
      for (const { item, occurrence } of items) {
        if (records.length >= limit) return
        if (occurrence === 'repeated' && sendsIds(resource)) filter.leaveOut(resource, item, 'its id was read before')
        else keep(route, values, await complete(route, values, item))
      }
      onPage?.(resource, records.length, total)
      if (records.length >= limit) return
      if (isCut)
        notes.push(`There may be more ${pluralOf(resource)}: GET ${path} has no pages, and returned ${items.length}.`)
    }
  }

  /** Returns why nothing was read, if nothing was. */
  async function readRoute(route: Route): Promise<string | undefined> {
    const { resource, via } = route
    const { list, read } = via.operations
    const operation = list ?? (via.isSingle ? read : undefined)
    if (operation === undefined) return 'no operation lists them'
    const places = placesOf(route, fixture, routes)
    if (places === undefined) return `nothing lists what the parameters of ${via.path} can be`
    const needed = findNeeded(operation, via, options)
    if (needed !== undefined) return `GET ${via.path} needs ${needed}`
    if (places.length === 0 && reasons.has(parentOf(route, routes) as ServiceResource)) {
      return `none of the ${pluralOf(parentOf(route, routes) as ServiceResource)} is known, which they are below`
    }
    const { selections, only } = selectAll(via, contract)
    const missing: string[] = []
    for (const [values, selection] of places.flatMap((each) => selections.map((one) => [each, one] as const))) {
      const { length } = recordsOf(resource)
      try {
        await readPlace(route, values, selection)
      } catch (error) {
        if (error instanceof CannotCheck) throw new PullError(`GET ${baseUrl}${via.path}: ${error.message}`)
        if (!(error instanceof MissingOperation) || recordsOf(resource).length > length) throw error
        missing.push(error.message)
      }
    }
    const [first] = missing
    if (first !== undefined && missing.length === places.length * selections.length) return first
    if (first !== undefined) {
      const more = missing.length > 1 ? `, and ${missing.length - 1} more` : ''
      notes.push(`Some ${pluralOf(resource)} are missing: ${first}${more}.`)
    }
    for (const each of only)
      notes.push(`The ${pluralOf(resource)} are those with ${each}: the list shows no others by itself.`)
    const unseen = showsMore(via, options) ? [] : hiddenInLists(via)
    if (unseen.length > 0)
      notes.push(`No response shows these properties of the ${pluralOf(resource)}: ${unseen.join(', ')}.`)
    return undefined
  }

  const depthOf = (resource: ServiceResource) =>
    Math.min(...routes.filter((route) => route.resource === resource).map(({ via }) => via.parents.length))
  for (const resource of [...resources].sort((one, other) => depthOf(one) - depthOf(other))) {
    for (const route of routes.filter((each) => each.resource === resource)) {
      const reason = await readRoute(route)
      if (reason === undefined) reasons.delete(resource)
      else if (!reasons.has(resource)) reasons.set(resource, reason)
      if (reason === undefined) break
    }
  }
  if (reasons.size === resources.length) throw nothingRead(reasons)
  const missing = resources.filter((resource) => reasons.has(resource))
  notes.unshift(...missing.map((resource) => `The ${pluralOf(resource)} are missing: ${reasons.get(resource)}.`))
  notes.push(...missing.flatMap((resource) => addMissingRecords(resource, fixture, routes, filter)))
  return { fixture: dropContradictions(fixture, fixtureFormat, filter), omissions: filter.omissions, notes }
}

/** The properties of records that their list does not show. */
function hiddenInLists({ operations: { list }, fields }: ServiceResource): string[] {
  const shown = list && propertiesShown(list, 'list')
  if (shown === undefined) return []
  return fields
    .filter(({ property, schema }) => !shown.has(property) && !schema.writeOnly)
    .map(({ property }) => property)
}

/** Whether reading one record shows more of it than the list does. */
function showsMore(via: ServiceResource, options: PullOptions): boolean {
  const { read } = via.operations
  if (read === undefined || findNeeded(read, via, options) !== undefined) return false
  const shown = propertiesShown(read, 'read')
  return hiddenInLists(via).some((property) => shown === undefined || shown.has(property))
}

function nothingRead(reasons: ReadonlyMap<ServiceResource, string>): PullError {
  const all = [...reasons]
  const [resource, reason] = all.find(([, each]) => each.includes(' returned ')) ?? all[0] ?? []
  if (reason?.includes(' returned ')) return new PullError(`${reason}; is the base URL right, including its path?`)
  if (resource === undefined) return new PullError('Nothing can be pulled: the OpenAPI document has no resources')
  return new PullError(`Nothing can be pulled. The ${pluralOf(resource)} are missing: ${reason}`)
}

/** What a list requires that nobody can know. */
function findNeeded(
  { operationId }: ResourceOperation,
  { list }: ServiceResource,
  { service, headers }: PullOptions,
): string | undefined {
  const known = [list?.paging?.size, list?.paging?.position]
  const given = headers.map(([name]) => name.toLowerCase())
  const needed = service.fixtureFormat.contract
    .declaredParameters(operationId)
    .find(
      ({ name, in: place, required }) =>
        required === true &&
        (place === 'header' ? !given.includes(name.toLowerCase()) : place === 'query' && !known.includes(name)),
    )
  if (needed === undefined) return undefined
  return needed.in === 'header'
    ? `the header ${needed.name}: send it with --header`
    : `the query parameter ${needed.name}`
}
