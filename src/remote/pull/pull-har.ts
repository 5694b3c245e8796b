import type { FixtureFormat } from '../../engine/data/format.js'
import type { Reproduction } from '../../engine/reproduction/reproduction.js'
import { dropContradictions } from './drop-contradictions.js'
import { type Recording, readHar } from './har.js'
import { type ListedResource, listedResources, type PulledFixture } from './listed-resources.js'
import { addMissingRecords } from './missing-records.js'
import { PullError } from './pull-error.js'
import type { Pulled, PulledService } from './pull-service.js'
import { RECORDED, readExchange } from './read-exchange.js'
import { createRecordFilter } from './record-filter.js'
import { createCallReader, hasExpectedBody, type RecordedCall } from './recorded-calls.js'
import { createRecordedData } from './recorded-data.js'
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
  const resources = listedResources(fixtureFormat)
  const readCall = createCallReader(fixtureFormat.contract, resources)
  const calls = exchanges.map(readCall).filter((call) => call !== undefined)
  const { chosen, others } = chooseAddress(calls, baseUrl, title)
  const recorded = createRecordedData(resources, direction)
  for (const call of calls.filter((each) => each.baseUrl === chosen)) recorded.add(call)

  const filter = createRecordFilter(fixtureFormat, maxBytes)
  const fixture: PulledFixture = {}
  for (const resource of resources) {
    const accepted = recorded.recordsOf(resource).map((record) => filter.accept(resource, record))
    fixture[resource.name] = accepted.filter((record) => record !== undefined)
  }
  // Pages often show records without asking for those that they refer to.
  const onMissing = resources.flatMap((resource) => addMissingRecords(resource, fixture, resources, filter))
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

/** Counts the responses of each base address. A page or another API may have paths that look the same. */
function chooseAddress(calls: readonly RecordedCall[], wanted: string | undefined, title: string) {
  const counts = new Map<string, number>()
  for (const { baseUrl } of calls.filter(hasExpectedBody)) counts.set(baseUrl, (counts.get(baseUrl) ?? 0) + 1)
  const byCount = [...counts].sort(([, a], [, b]) => b - a)
  const chosen = wanted ?? byCount[0]?.[0]
  const others = byCount.filter(([address]) => address !== chosen).slice(0, MAX_OTHERS)
  if (chosen !== undefined && counts.has(chosen)) return { chosen, others: wanted === undefined ? others : [] }
  const where = wanted === undefined ? '' : ` of ${wanted}`
  const hint = others.length === 0 ? '' : `; it has responses of ${others.map(([address]) => address).join(', ')}`
  throw new PullError(`The file has no response${where} with data of the ${title}${hint}`)
}

function describeIncomplete(resources: readonly ListedResource[]): string[] {
  if (resources.length === 0) return []
  return [`There may be more ${joinWords(resources.map(pluralOf))} than were recorded.`]
}

/** What only the entries of a view show, and those of some records were not recorded. */
function describeUnseen(
  { name, additions: { view }, storedIn, fields }: ListedResource,
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
