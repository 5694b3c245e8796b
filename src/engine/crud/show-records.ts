import { isStored } from '../../lib/stored.js'
import { isPlainObject } from '../../lib/values.js'
import type { StoredRecord } from '../resources/additions.js'
import type { ServiceResource } from '../resources/service-resource.js'
import { nameOfCollection } from '../store/database.js'
import type { Tools } from './handler.js'
import { createPresenter } from './responder.js'

/** A value with records of the store, or copies of them, as clients see them. */
export type Show = (value: unknown) => unknown

/** For what a handler of the service's own returns. What it added to a copy stays. */
export function createShow(resources: readonly ServiceResource[], tools: Tools): Show {
  const shows = new Map<string, (record: StoredRecord) => unknown>()

  function showRecord(record: StoredRecord): unknown {
    const name = nameOfCollection(record)
    const known = shows.get(name) ?? createShowRecord(name)
    shows.set(name, known)
    return known(record)
  }

  function createShowRecord(name: string) {
    const here = resources.filter(({ storedIn }) => storedIn === name)
    const resource = here.find((each) => each.name === name)
    if (resource === undefined) return (record: StoredRecord) => record
    const stored = new Set([
      'id',
      ...here.flatMap(({ fields, hidden }) => [...fields.map((each) => each.stored), ...hidden]),
    ])
    const present = createPresenter(resource, undefined)
    const hide = tools.documents?.createHide(resource.record.schema)
    return (record: StoredRecord) => {
      const added = Object.entries(record).filter(([property]) => !stored.has(property))
      const shown = present({ ...record, id: resource.ids.read(record.id) ?? record.id }) as object
      return { ...((hide?.(shown) ?? shown) as object), ...Object.fromEntries(added) }
    }
  }

  function show(value: unknown): unknown {
    if (isStored(value)) return showRecord(value as StoredRecord)
    if (Array.isArray(value)) return value.map(show)
    if (!isPlainObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, show(member)]))
  }

  return show
}
