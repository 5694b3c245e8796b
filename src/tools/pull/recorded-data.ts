import type { FixtureEntry } from '../../engine/data/format.js'
import { readIdOf } from '../../engine/resources/record-forms.js'
import type { ServiceResource } from '../../engine/resources/service-resource.js'
import type { Id } from '../../lib/int64.js'
import { stringifyJson } from '../../lib/json.js'
import { isEqualJson, isObject } from '../../lib/values.js'
import { type RecordedCall, succeeded } from './recorded-calls.js'
import { createNumbering, type PathValues, parentsInPath, type Route, sendsIds } from './routes.js'
import { findShared } from './shared-fields.js'

/** Stands for one record: its id, below parents if it has no path without them, or the record itself if it has no id. */
type Key = string

/**
 * What recorded calls say about the data of a service. The latest of them counts. If they are added from the last to the first,
 * that is the data before them: a record that was created then was not there.
 */
export function createRecordedData(routes: readonly Route[], { isBackwards = false } = {}) {
  const resources = [...new Set(routes.map(({ resource }) => resource))]
  const records = new Map(resources.map(({ name }) => [name, new Map<Key, FixtureEntry>()]))
  const recordsOf = (name: string) => records.get(name) as Map<Key, FixtureEntry>
  const shared = findShared(resources)
  /** The names of the resources of which every record is known. */
  const complete = new Set<string>()
  /** Those whose records have the same id on each of their paths. */
  const isFlat = new Set(
    routes
      .filter(({ resource, via }) => resource !== via || via.itemParameters !== undefined)
      .map(({ resource }) => resource),
  )
  let unusable = 0

  function keyOf({ resource, via }: Route, values: PathValues, id: Id | undefined, item?: unknown): Key {
    if (id !== undefined && isFlat.has(resource)) return id
    const parents = via.parents.map(({ parameter }) => `${encodeURIComponent(values[parameter] ?? '')}/`).join('')
    return `${parents}${via.isSingle ? '' : (id ?? ` ${stringifyJson(item)}`)}`
  }

  /** An entry of a view has fields of its record, so each says something about the other. */
  function learn(name: string, key: Key, record: FixtureEntry): void {
    for (const { view, source, fields } of shared) {
      const entry = recordsOf(view).get(key)
      const shown = recordsOf(source).get(key)
      if (name === view && shown) {
        const known = fields.filter(({ inEntry }) => record[inEntry] !== undefined)
        const values = known.map(({ inEntry, inRecord }) => [inRecord, record[inEntry]])
        recordsOf(source).set(key, { ...shown, ...Object.fromEntries(values) })
      }
      // If it is outdated in one field, it may be in others.
      const isOutdated = fields.some(({ inEntry, inRecord }) => !isEqualJson(record[inRecord], entry?.[inEntry]))
      if (name === source && isOutdated) recordsOf(view).delete(key)
    }
    recordsOf(name).set(key, record)
  }

  function learnRecord({ resource, via, id, values, shown }: RecordedCall, key: Key, item: FixtureEntry): void {
    // A list may show less than a read, and another path may not say below which parents a record is.
    const known = Object.entries(recordsOf(resource.name).get(key) ?? {})
    const hidden = known.filter(([name]) => shown !== undefined && !shown.has(name))
    const ownId = sendsIds(resource) || id === undefined ? {} : { id: resource.ids.toJson(id) }
    const inPath = parentsInPath({ resource, via }, values, item)
    learn(resource.name, key, { ...Object.fromEntries(hidden), ...item, ...ownId, ...inPath })
  }

  function forget(name: string, key: Key): void {
    recordsOf(name).delete(key)
    for (const { view, source } of shared) if (name === source) recordsOf(view).delete(key)
  }

  function learnList(call: RecordedCall, items: readonly unknown[]): void {
    const { resource, via, values, exchange } = call
    const { name } = resource
    const { list } = via
    const keys = new Set<Key>()
    for (const item of items) {
      const id = readIdOf(via, item)
      if (!isObject(item)) continue
      let key = keyOf(call, values, id, item)
      // Another record that is equal in all that is known of it.
      while (id === undefined && keys.has(key)) key += ' '
      keys.add(key)
      learnRecord({ ...call, id: undefined }, key, item)
    }
    const { url, total } = exchange
    // These select no records. Any other one may.
    const harmless = [list?.paging?.size, list?.paging?.position, list?.sort]
    if (total === undefined || [...url.searchParams.keys()].some((parameter) => !harmless.includes(parameter))) return
    if (via.parents.length > 0) return
    if (keys.size === total)
      for (const key of [...recordsOf(name).keys()].filter((each) => !keys.has(each))) forget(name, key)
    if (recordsOf(name).size === total) complete.add(name)
    else complete.delete(name)
  }

  return {
    add(call: RecordedCall): void {
      const { resource, via, values, id, result, isCreated, exchange } = call
      const { name } = resource
      const isGone = exchange.status === 404 || (result === 'nothing' && succeeded(call) && !isBackwards)
      if (id !== undefined && isGone) forget(name, keyOf(call, values, id))
      if (result === 'nothing' || !succeeded(call)) return
      const body = call.body()
      const recordId = readIdOf(via, body) ?? id
      const isRecord = result === 'record' && isObject(body) && (recordId !== undefined || !sendsIds(resource))
      const key = keyOf(call, values, recordId, body)
      if (isBackwards && isCreated && isRecord) forget(name, key)
      else if (result === 'list' && Array.isArray(body)) learnList(call, body)
      else if (isRecord) learnRecord(call, key, body)
      else unusable += 1
    },
    recordsOf(resource: ServiceResource): readonly FixtureEntry[] {
      const found = [...recordsOf(resource.name).values()]
      return found.map(createNumbering(resource, found))
    },
    /** Of what a client can list. */
    incomplete: () => resources.filter(({ name, isSingle }) => !isSingle && !complete.has(name)),
    /** How many successful responses have no body that can be read. */
    unusable: () => unusable,
  }
}
