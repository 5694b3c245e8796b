import type { Fixture } from '../../petstore/fixtures/format.js'
import type { ListName } from '../../petstore/fixtures/lists.js'
import { dropContradictions } from './drop-contradictions.js'
import { readHar } from './har.js'
import { countOf, joinWords, pluralOf } from './lists.js'
import { addMissingCategories } from './missing-categories.js'
import { PullError } from './pull-error.js'
import type { Pulled } from './pull-service.js'
import { createRecordFilter } from './record-filter.js'
import { hasExpectedBody, type RecordedCall, toRecordedCall } from './recorded-calls.js'
import { createRecordedData } from './recorded-data.js'

export interface HarOptions {
  /** Default: the one with the most responses of the API. */
  readonly baseUrl?: string | undefined
  /** The maximum size of the fixture file. */
  readonly maxBytes: number
}

/** What recorded traffic says about the data of a service, at the end of the recording. */
export function pullHar(har: unknown, { baseUrl, maxBytes }: HarOptions): Pulled {
  const { exchanges, unreadable } = readHar(har)
  const calls = exchanges.map(toRecordedCall).filter((call) => call !== undefined)
  const { chosen, others } = chooseAddress(calls, baseUrl)
  const recorded = createRecordedData()
  for (const call of calls.filter((each) => each.baseUrl === chosen)) recorded.add(call)

  const filter = createRecordFilter(maxBytes)
  const accept = <Name extends ListName>(list: Name) =>
    recorded.recordsOf(list).flatMap((record) => filter.accept(list, record) ?? [])
  const fixture: Fixture = {
    categories: accept('categories'),
    pets: accept('pets'),
    inventory: accept('inventory'),
    orders: accept('orders'),
  }
  // Pages often show pets without asking for their categories.
  const onCategories = addMissingCategories(fixture, filter)
  const consistent = dropContradictions(fixture, filter)
  const withoutStock = consistent.pets.length - consistent.inventory.length
  const notes = [
    `Used the responses of ${chosen}.`,
    ...others.map(([address, count]) => `Ignored responses of ${address}: ${count}. To use them, name this base URL.`),
    ...(unreadable > 0 ? [`Entries of the file that cannot be read: ${unreadable}.`] : []),
    ...(recorded.unusable() > 0 ? [`Responses with no body, or not all of it: ${recorded.unusable()}.`] : []),
    ...describeIncomplete(recorded.incomplete()),
    ...(withoutStock > 0
      ? [`The stock of ${countOf('pets', withoutStock)} was not recorded. It is 1, or 0 for a sold pet.`]
      : []),
    ...onCategories,
  ]
  return { fixture: consistent, omissions: filter.omissions, notes }
}

const MAX_OTHERS = 3

/** Counts the responses of each base address. A page or another API may have paths that look the same. */
function chooseAddress(calls: readonly RecordedCall[], wanted: string | undefined) {
  const counts = new Map<string, number>()
  for (const { baseUrl } of calls.filter(hasExpectedBody)) counts.set(baseUrl, (counts.get(baseUrl) ?? 0) + 1)
  const byCount = [...counts].sort(([, a], [, b]) => b - a)
  const chosen = wanted ?? byCount[0]?.[0]
  const others = byCount.filter(([address]) => address !== chosen).slice(0, MAX_OTHERS)
  if (chosen !== undefined && counts.has(chosen)) return { chosen, others: wanted === undefined ? others : [] }
  const where = wanted === undefined ? '' : ` of ${wanted}`
  const hint = others.length === 0 ? '' : `; it has responses of ${others.map(([address]) => address).join(', ')}`
  throw new PullError(`The file has no response${where} with data of the Pet Store API${hint}`)
}

function describeIncomplete(lists: readonly ListName[]): string[] {
  if (lists.length === 0) return []
  return [`There may be more ${joinWords(lists.map(pluralOf))} than were recorded.`]
}
