import { isScalar, propertiesIn } from '../../document/schema/facts.js'
import { oncePer } from '../../lib/functions.js'
import type { Id } from '../../lib/int64.js'
import { groupBy } from '../../lib/values.js'
import type { AnyCollections, StoredRecord } from '../resources/additions.js'
import { parentFields } from '../resources/parents.js'
import { type StoredFields, toJsonRecord } from '../resources/record-forms.js'
import { toGroupText } from '../resources/selection.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'
import { collectionOf } from './find.js'
import type { Embed, RemoveBelow } from './handler.js'

export function createRemoveBelow(resource: ServiceResource, all: readonly ServiceResource[]): RemoveBelow {
  return (store, id) => {
    for (const { child, stored } of childrenByStore(all).get(resource.storedIn) ?? []) {
      const collection = collectionOf(store, child)
      const below = [...collection.select({})].filter((each) => isIn(each, stored, id))
      if (below.length === 0) continue
      const removeBelow = createRemoveBelow(child, all)
      for (const each of below) {
        collection.remove(each.id)
        removeBelow(store, each.id)
      }
    }
  }
}

const isIn = (record: StoredRecord, stored: string, id: Id) => toGroupText(record[stored]) === id

/**
 * Where records keep the id of a parent, by what stores the parents. Those that another path leads to as well are no
 * children.
 */
const childrenByStore = oncePer((all: readonly ServiceResource[]) => {
  const children = all.filter(({ name, storedIn }) => storedIn === name)
  const places = children.flatMap((child) => {
    const fields = parentFields(child)
    return child.parents.flatMap(({ resource }, index) => {
      const parent = resourceNamed(all, resource)
      const stored = fields[index]?.stored
      return parent && stored !== undefined ? [{ child, stored, parent: parent.storedIn }] : []
    })
  })
  return groupBy(places, ({ parent }) => parent)
})

export function createEmbed(
  { embedded, record }: Pick<ServiceResource, 'embedded' | 'record'>,
  all: readonly ServiceResource[],
): Embed {
  const properties = propertiesIn(record.schema)
  const targets = Object.entries(embedded).flatMap(([property, name]) => {
    const target = resourceNamed(all, name)
    const schema = properties.get(property)
    return target && schema && !isScalar(schema) ? [{ property, target }] : []
  })
  return (store, given) => {
    const found = targets.flatMap(({ property, target }) => {
      const value = given[property]
      if (value === undefined) return []
      const toRecord = (id: unknown) => findById(store, target, id) ?? id
      return [[property, Array.isArray(value) ? value.map(toRecord) : toRecord(value)] as const]
    })
    return found.length === 0 ? given : { ...given, ...Object.fromEntries(found) }
  }
}

function findById(store: AnyCollections, target: ServiceResource, value: unknown): StoredFields | undefined {
  const id = typeof value === 'object' ? undefined : target.ids.read(value)
  const record = id === undefined ? undefined : collectionOf(store, target).get(id)
  return record && toJsonRecord(target, record)
}
