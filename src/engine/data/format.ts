import type { Contract } from '../../document/contract/contract.js'
import type { Steps } from '../../lib/steps.js'
import { resourcesStoredIn, type ServiceResource } from '../resources/service-resource.js'

/**
 * An id as a safe integer, a bigint or a string. For integers, `7`, `7n` and `'7'` are the same id; beyond 2^53 only the last
 * two are exact.
 */
export type FixtureId = number | bigint | string

/** Starting data, or an exported state: a list of records for each resource, and what is below. */
export interface AnyFixture {
  /** One line that helps people choose between fixtures. */
  readonly description?: string
  /** The next new ids, so that the ids of deleted records are not used again. */
  readonly nextIds?: Readonly<Record<string, FixtureId>>
  /** Identifies the OpenAPI document that an exported state belongs to. */
  readonly specHash?: string
  readonly [resource: string]: unknown
}

/** A record in a fixture, as the API returns it. Ids may be strings. */
export type FixtureEntry = Readonly<Record<string, unknown>>

/** An entry that has the right shape, and its index in the list. */
export interface ValidEntry<T = FixtureEntry> {
  readonly index: number
  readonly item: T
}

/** A fixture that is being checked. */
export interface BrokenRulesSearch {
  /** The lists as they were given: a part may be missing or invalid. */
  readonly lists: Readonly<Record<string, unknown>>
  /** The entries that have the right shape, by list. */
  readonly valid: Readonly<Record<string, readonly ValidEntry[]>>
  /** How many entries of a list are the user's own. They come first; the others are a scenario's. */
  readonly own: (list: string) => number
  readonly report: ReportEntry
}

/** `text` starts with the pointer within the entry. */
export type ReportEntry = (list: string, index: number, text: string) => void

/** Reports entries that contradict the rules of a service. */
export type FindBrokenRules = (search: BrokenRulesSearch) => Steps<void>

/** What the fixtures of a service consist of. */
export interface FixtureFormat {
  /** As their lists are sorted: a view comes after the resource that stores its records. */
  readonly resources: readonly ServiceResource[]
  readonly contract: Contract
  /** Finds entries that contradict the rules of the service. */
  readonly findBrokenRules?: FindBrokenRules | undefined
}

/** The resources as their lists are sorted in a fixture. */
export function sortForFixtures(resources: readonly ServiceResource[]): ServiceResource[] {
  const isView = ({ additions }: ServiceResource) => additions.view !== undefined
  return resources
    .filter((resource) => !isView(resource))
    .flatMap((resource) => [resource, ...resourcesStoredIn(resources, resource.name).filter(isView)])
}

/** The entries of a resource in a valid fixture. */
export function entriesIn(fixture: AnyFixture, name: string): readonly FixtureEntry[] {
  return (fixture[name] as readonly FixtureEntry[] | undefined) ?? []
}
