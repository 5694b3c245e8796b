import type { FixtureFormat } from '../../engine/data/format.js'
import type { Reproduction } from '../../engine/log/reproduction.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import { RECORDED, type Recording, readExchange, readHar } from './har.js'
import { addMissingRecords, dropContradictions } from './missing-records.js'
import type { Pulled } from './pull-service.js'
import { createRecordFilter } from './record-filter.js'
import { createCallReader, hasExpectedBody, type RecordedCall } from './recorded-calls.js'
import { createRecordedData } from './recorded-data.js'
import { PullError } from './require-list.js'
import { type PulledFixture, type PulledService, routesOf } from './routes.js'
import { countOf, joinWords, pluralOf, toWords } from './words.js'

export interface HarOptions {
  readonly service: PulledService
  /** Default: the one with the most responses of the API. */
  readonly baseUrl?: string | undefined
  /** The maximum size of the fixture file. */
  readonly maxBytes: number
}

/** What recorded traffic says about the data of a service, at the end of the recording. */
export function pullHar(har: unknown, options: HarOptions): Pulled {
  return pullRecording(readHar(har), options)
}

/**
 * What a reproduction says about the data of the real service, which its requests were passed through to: before the first of
 * them, so that they can be repeated.
 */
export function pullReproduction({ steps }: Reproduction, options: Omit<HarOptions, 'baseUrl'>): Pulled {
  const exchanges = steps.flatMap((step) => ('request' in step ? (readExchange(step) ?? []) : []))
  if (exchanges.length === 0)
    throw new PullError('The file has no response of the real service: use --upstream and --pass')
  return pullRecording({ exchanges: exchanges.reverse(), unreadable: 0 }, options, { isBackwards: true })
}

function pullRecording(
  { exchanges, unreadable }: Recording,
  { service, baseUrl, maxBytes }: HarOptions,
  direction?: { readonly isBackwards: boolean },
): Pulled {
  const { fixtureFormat, title } = service
  const { resources } = fixtureFormat
  const routes = routesOf(service)
  const readings = exchanges.map(createCallReader(fixtureFormat.contract, routes))
  const { chosen, others } = chooseAddress(readings, baseUrl, title)
  const recorded = createRecordedData(routes, direction)
  for (const call of readings.flat().filter((each) => each.baseUrl === chosen)) recorded.add(call)

  const filter = createRecordFilter(fixtureFormat, maxBytes)
  const fixture: PulledFixture = {}
  for (const resource of resources) {
    const accepted = recorded.recordsOf(resource).map((record) => filter.accept(resource, record))
    fixture[resource.name] = accepted.filter((record) => record !== undefined)
  }
  // Pages often show records without asking for those that they refer to, or are below. Those may be below others.
  const innermost = [...resources].sort((one, other) => other.parents.length - one.parents.length)
  const onMissing = innermost.flatMap((resource) => addMissingRecords(resource, fixture, routes, filter))
  const consistent = dropContradictions(fixture, fixtureFormat, filter)
  const notes = [
    ...(chosen === RECORDED ? [] : [`Used the responses of ${chosen}.`]),
    ...others.map(([address, count]) => `Ignored responses of ${address}: ${count}. To use them, name this base URL.`),
    ...(unreadable > 0 ? [`Entries of the file that cannot be read: ${unreadable}.`] : []),
    ...(recorded.unusable() > 0 ? [`Responses with no body, or not all of it: ${recorded.unusable()}.`] : []),
    ...describeIncomplete(recorded.incomplete()),
    ...resources.flatMap((resource) => describeUnseen(resource, consistent, fixtureFormat)),
    ...onMissing,
  ]
  return { fixture: consistent, omissions: filter.omissions, notes }
}

const MAX_OTHERS = 3

/**
 * Counts the responses of each base address. A page or another API may have paths that look the same, and a long path may be
 * read in several ways.
 */
function chooseAddress(readings: readonly (readonly RecordedCall[])[], wanted: string | undefined, title: string) {
  const proven = readings.map((calls) => calls.filter(hasExpectedBody))
  const chosen = wanted ?? countAddresses(proven.flat())[0]?.[0]
  const unexplained = proven.filter((calls) => calls.every(({ baseUrl }) => baseUrl !== chosen))
  const others = countAddresses(unexplained.flatMap((calls) => calls.slice(0, 1))).slice(0, MAX_OTHERS)
  const isThere = unexplained.length < proven.length
  if (chosen !== undefined && isThere) return { chosen, others: wanted === undefined ? others : [] }
  const where = wanted === undefined ? '' : ` of ${wanted}`
  const hint = others.length === 0 ? '' : `; it has responses of ${others.map(([address]) => address).join(', ')}`
  throw new PullError(`The file has no response${where} with data of the ${title}${hint}`)
}

/** The most frequent one first; of equal ones the shortest, which explains more of the path. */
function countAddresses(calls: readonly RecordedCall[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const { baseUrl } of calls) counts.set(baseUrl, (counts.get(baseUrl) ?? 0) + 1)
  return [...counts].sort(([one, count], [other, counted]) => counted - count || one.length - other.length)
}

function describeIncomplete(resources: readonly ServiceResource[]): string[] {
  if (resources.length === 0) return []
  return [`There may be more ${joinWords(resources.map(pluralOf))} than were recorded.`]
}

/** What only the entries of a view show, and those of some records were not recorded. */
function describeUnseen(
  { name, additions: { view }, storedIn, fields }: ServiceResource,
  fixture: PulledFixture,
  { resources }: FixtureFormat,
): string[] {
  const source = view && resources.find((each) => each.name === storedIn)
  const hidden = fields.map(({ stored }) => stored).filter((stored) => source?.hidden.includes(stored))
  const count = (fixture[storedIn]?.length ?? 0) - (fixture[name]?.length ?? 0)
  if (source === undefined || hidden.length === 0 || count <= 0) return []
  const verb = hidden.length === 1 ? 'was' : 'were'
  const what = `The ${joinWords(hidden.map(toWords))} of ${countOf(source, count)} ${verb} not recorded.`
  return [view?.whenUnknown === undefined ? what : `${what} ${view.whenUnknown}`]
}
