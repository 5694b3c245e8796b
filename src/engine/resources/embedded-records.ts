import type { AnyCollections } from './additions.js'
import { collectionOf } from './find.js'
import type { Embed } from './handler.js'
import { type StoredFields, toJsonRecord } from './record-forms.js'
import { isScalar, propertiesIn } from './schema-facts.js'
import type { ServiceResource } from './service-resource.js'

export function createEmbed(
  { embedded, record }: Pick<ServiceResource, 'embedded' | 'record'>,
  all: readonly ServiceResource[],
): Embed {
  const properties = propertiesIn(record.schema)
  const targets = Object.entries(embedded).flatMap(([property, name]) => {
    const target = all.find((each) => each.name === name)
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
