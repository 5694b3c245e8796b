import { type Id, toJsonInt64 } from '../../lib/int64.js'
import { collectionOf } from '../crud/find.js'
import type { AnyCollections, StoredRecord } from '../resources/additions.js'
import type { ServiceResource } from '../resources/service-resource.js'
import type { AnyFixture, FixtureFormat, FixtureId } from './format.js'

/** All data in the fixture format, with the next ids, so that an import continues exactly from here. */
export function exportState(
  { resources }: Pick<FixtureFormat, 'resources'>,
  store: AnyCollections,
  specHash: string,
): AnyFixture {
  const stored = resources.filter(({ additions }) => additions.view === undefined)
  const lists = resources.map((resource) => {
    const toEntry = createEntryWriter(resource)
    return [resource.name, Array.from(collectionOf(store, resource).select({}), toEntry)]
  })
  const nextIds = stored.map((resource) => [resource.name, toFixtureId(collectionOf(store, resource).nextId)])
  return { ...Object.fromEntries(lists), nextIds: Object.fromEntries(nextIds), specHash }
}

/** Writes a record as an entry of a fixture. Member by member: there may be a hundred thousand records. */
function createEntryWriter(resource: ServiceResource): (record: StoredRecord) => Record<string, unknown> {
  const { fields, ids } = resource
  const unsent = resource.unsent
  return (record) => {
    const entry: Record<string, unknown> = {}
    for (const { property, stored, isInt64, isId } of fields) {
      const value = record[stored]
      if (value === undefined) continue
      if (isInt64) entry[property] = toFixtureId(value as Id)
      else entry[property] = isId ? ids.toJson(value as Id) : value
    }
    for (const { member, stored } of unsent) if (record[stored] !== undefined) entry[member] = record[stored]
    return entry
  }
}

/** A number when that is exact, otherwise a string of digits: JSON has no bigint. */
function toFixtureId(id: Id): FixtureId {
  const value = toJsonInt64(id)
  return typeof value === 'bigint' ? id : value
}
