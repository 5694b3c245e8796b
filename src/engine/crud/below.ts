import { isScalar, itemsOf, propertiesIn } from '../../document/schema/facts.js'
import { oncePer } from '../../lib/functions.js'
import { groupBy, isPlainObject } from '../../lib/values.js'
import type { AnyCollections } from '../resources/additions.js'
import { parentFields, parentIdIn } from '../resources/parents.js'
import { readIdOf, type StoredFields, toJsonRecord } from '../resources/record-forms.js'
import { resourceNamed, type ServiceResource } from '../resources/service-resource.js'
import { collectionOf } from './find.js'
import type { Embed, RemoveBelow, Tools } from './handler.js'
import { removeFromHolders } from './links.js'

export function createRemoveBelow(
  resource: ServiceResource,
  all: readonly ServiceResource[],
  tools: Pick<Tools, 'maker'>,
): RemoveBelow {
  return (store, id) => {
    removeFromHolders(resource, all, store, id, tools)
    for (const { child, place } of childrenByStore(all).get(resource.storedIn) ?? []) {
      const collection = collectionOf(store, child)
      const below = [...collection.select({})].filter((each) => parentIdIn(each, place) === id)
      if (below.length === 0) continue
      const removeBelow = createRemoveBelow(child, all, tools)
      for (const each of below) {
        collection.remove(each.id)
        removeBelow(store, each.id)
      }
    }
  }
}

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
      const place = fields[index]
      return parent && place ? [{ child, place, parent: parent.storedIn }] : []
    })
  })
  return groupBy(places, ({ parent }) => parent)
})

export function createEmbed(
  { embedded, links, record }: Pick<ServiceResource, 'embedded' | 'links' | 'record'>,
  all: readonly ServiceResource[],
): Embed {
  const properties = propertiesIn(record.schema)
  const targets = Object.entries({ ...links, ...embedded }).flatMap(([property, name]) => {
    const target = resourceNamed(all, name)
    const schema = properties.get(property)
    const isObject = schema && !isScalar(schema) && !isScalar(itemsOf(schema) ?? {})
    return target && isObject ? [{ property, target }] : []
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

/** An object with nothing but an id stands for the record. */
const onlyIdIn = (target: ServiceResource, value: object) =>
  Object.keys(value).length === 1 ? readIdOf(target, value) : undefined

function findById(store: AnyCollections, target: ServiceResource, value: unknown): StoredFields | undefined {
  const id = isPlainObject(value) ? onlyIdIn(target, value) : target.ids.read(value)
  const record = id === undefined ? undefined : collectionOf(store, target).get(id)
  return record && toJsonRecord(target, record)
}
