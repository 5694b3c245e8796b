import type { FixtureEntry } from '../../engine/data/format.js'
import { readIdOf } from '../../engine/resources/record-forms.js'
import { isEqualJson } from '../../lib/equal-json.js'
import type { Id } from '../../lib/int64.js'
import { isObject } from '../../lib/plain-object.js'
import type { ListedResource } from './listed-resources.js'
import { type RecordedCall, succeeded } from './recorded-calls.js'
import { findShared } from './shared-fields.js'

/**
 * What recorded calls say about the data of a service. The latest of them counts. If they are added from the last to the first,
 * that is the data before them: a record that was created then was not there.
 */
export function createRecordedData(resources: readonly ListedResource[], { isBackwards = false } = {}) {
  const records = new Map(resources.map(({ name }) => [name, new Map<Id, FixtureEntry>()]))
  const recordsOf = (name: string) => records.get(name) as Map<Id, FixtureEntry>
  const shared = findShared(resources)
  /** The names of the resources of which every record is known. */
  const complete = new Set<string>()
  let unusable = 0

  /** An entry of a view has fields of its record, so each says something about the other. */
  function learn(name: string, id: Id, record: FixtureEntry): void {
    for (const { view, source, fields } of shared) {
      const entry = recordsOf(view).get(id)
      const shown = recordsOf(source).get(id)
      if (name === view && shown) {
        const known = fields.filter(({ inEntry }) => record[inEntry] !== undefined)
        const values = known.map(({ inEntry, inRecord }) => [inRecord, record[inEntry]])
        recordsOf(source).set(id, { ...shown, ...Object.fromEntries(values) })
      }
      // If it is outdated in one field, it may be in others.
      const isOutdated = fields.some(({ inEntry, inRecord }) => !isEqualJson(record[inRecord], entry?.[inEntry]))
      if (name === source && isOutdated) recordsOf(view).delete(id)
    }
    recordsOf(name).set(id, record)
  }

  function forget(name: string, id: Id): void {
    recordsOf(name).delete(id)
    for (const { view, source } of shared) if (name === source) recordsOf(view).delete(id)
  }

  function learnList(resource: ListedResource, items: readonly unknown[], { exchange }: RecordedCall): void {
    const { name, list } = resource
    const ids = new Set<Id>()
    for (const item of items) {
      const id = readIdOf(resource, item)
      if (id === undefined) continue
      ids.add(id)
      learn(name, id, item as FixtureEntry)
    }
    const { url, total } = exchange
    // These select no records. Any other one may.
    const harmless = [list?.paging?.size, list?.paging?.position, list?.sort]
    if (total === undefined || [...url.searchParams.keys()].some((parameter) => !harmless.includes(parameter))) return
    if (ids.size === total) for (const id of [...recordsOf(name).keys()].filter((id) => !ids.has(id))) forget(name, id)
    if (recordsOf(name).size === total) complete.add(name)
    else complete.delete(name)
  }

  return {
    add(call: RecordedCall): void {
      const { resource, id, result, isCreated, exchange } = call
      const { name } = resource
      const isGone = exchange.status === 404 || (result === 'nothing' && succeeded(call) && !isBackwards)
      if (id !== undefined && isGone) forget(name, id)
      if (result === 'nothing' || !succeeded(call)) return
      const body = call.body()
      const bodyId = readIdOf(resource, body)
      if (isBackwards && isCreated && bodyId !== undefined) forget(name, bodyId)
      else if (result === 'list' && Array.isArray(body)) learnList(resource, body, call)
      else if (result === 'record' && isObject(body) && bodyId !== undefined) learn(name, bodyId, body)
      else unusable += 1
    },
    recordsOf: ({ name }: ListedResource): readonly FixtureEntry[] => [...recordsOf(name).values()],
    incomplete: () => resources.filter(({ name }) => !complete.has(name)),
    /** How many successful responses have no body that can be read. */
    unusable: () => unusable,
  }
}
