import type { Id } from '../../lib/int64.js'
import { requiredIn } from '../resources/schema-facts.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { type AnyFixture, entriesIn } from './format.js'

/** Records of a resource that are known in part before the others are generated. */
export interface GivenRecords {
  /** None if the ids of the resource look different. */
  readonly ids: readonly Id[]
  valueOf(index: number, property: string): unknown
  /** A generated record without the optional properties that only others of the given records have. */
  prune(index: number, record: Readonly<Record<string, unknown>>): object
}

export function createGivenRecords(resource: ServiceResource, fixture: AnyFixture): GivenRecords {
  const { name, ids: kind, idPath, record: place } = resource
  const entries = entriesIn(fixture, name)
  const ids = entries.map((entry) => kind.read(entry[idPath[0]])).filter((id) => id !== undefined)
  if (ids.length < entries.length || ids.length === 0) {
    return { ids: [], valueOf: () => undefined, prune: (_, record) => record }
  }
  const required = requiredIn(place.schema)
  const optional = [...new Set(entries.flatMap((entry) => Object.keys(entry)))].filter((each) => !required.has(each))
  return {
    ids,
    valueOf: (index, property) => entries[index]?.[property],
    prune(index, record) {
      const missing = optional.filter((property) => entries[index]?.[property] === undefined)
      return Object.fromEntries(Object.entries(record).filter(([property]) => !missing.includes(property)))
    },
  }
}
