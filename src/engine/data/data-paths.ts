import type { AnyCollections, StoredRecord } from '../resources/additions.js'
import { collectionOf } from '../resources/find.js'
import type { DataPaths } from '../resources/handler.js'
import { compilePath, parentFields } from '../resources/parents.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { unsentFields } from '../resources/unsent-fields.js'

type Json = Readonly<Record<string, unknown>>

/** The paths by which the data API creates and changes the records of a nested collection. */
export function createDataPaths(resource: ServiceResource, all: readonly ServiceResource[]): DataPaths {
  const parents = parentFields(resource).map(({ parameter, stored, field }, level) => ({
    parameter,
    stored,
    name: field?.property ?? unsentFields(resource).find((each) => each.level === level)?.member ?? parameter,
    resource: all.find(({ name }) => name === resource.parents[level]?.resource),
  }))

  return {
    names: parents.map(({ name }) => name),
    place(store: AnyCollections, given: Json, anyId) {
      const values: Record<string, unknown> = {}
      // A parent that is not given is that of the parent inside it.
      let inner: readonly unknown[] = []
      for (const [level, { parameter, name, resource: parent }] of [...parents.entries()].reverse()) {
        const value = given[name] ?? inner[level] ?? (parent ? anyId(parent) : 1)
        values[parameter] = value
        const id = parent?.ids.read(value) ?? parent?.ids.read(String(value))
        const record = parent && id !== undefined ? collectionOf(store, parent).get(id) : undefined
        if (parent && record) inner = parentFields(parent).map(({ stored }) => record[stored])
      }
      const ids = parents.map(({ parameter, name }) => [name, values[parameter]])
      const fields = Object.entries({ ...given, ...Object.fromEntries(ids) })
      const { writable } = resource
      return {
        path: compilePath(resource.path)(values),
        fields: Object.fromEntries(
          fields.filter(([name]) => writable.includes(name) || parents.every((parent) => parent.name !== name)),
        ),
      }
    },
    idsOf: (record: StoredRecord) =>
      Object.fromEntries(parents.map(({ parameter, stored }) => [parameter, record[stored]])),
  }
}
