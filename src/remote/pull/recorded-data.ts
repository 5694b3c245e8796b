import { type IdKey, toIdKey } from '../../lib/int64.js'
import { ID_FIELDS, isRecord, LIST_NAMES, type ListName } from '../../petstore/fixtures/lists.js'
import { type RecordedCall, succeeded } from './recorded-calls.js'

type Fields = Readonly<Record<string, unknown>>

/** What recorded calls say about the data of a service. The latest of them counts. */
export function createRecordedData() {
  const records: Record<ListName, Map<IdKey, Fields>> = {
    categories: new Map(),
    pets: new Map(),
    inventory: new Map(),
    orders: new Map(),
  }
  /** The lists of which every record is known. */
  const complete = new Set<ListName>()
  let unusable = 0

  /** An inventory entry has the status of its pet, so each says something about the other. */
  function learn(list: ListName, id: IdKey, record: Fields): void {
    const pet = records.pets.get(id)
    if (list === 'inventory' && pet && record.status !== undefined)
      records.pets.set(id, { ...pet, status: record.status })
    if (list === 'pets' && record.status !== records.inventory.get(id)?.status) records.inventory.delete(id)
    records[list].set(id, record)
  }

  function forget(list: ListName, id: IdKey): void {
    records[list].delete(id)
    if (list === 'pets') records.inventory.delete(id)
  }

  function learnList(list: ListName, items: readonly unknown[], { exchange }: RecordedCall): void {
    const ids = new Set<IdKey>()
    for (const item of items) {
      const id = idOf(list, item)
      if (id === undefined) continue
      ids.add(id)
      learn(list, id, item as Fields)
    }
    const { url, total } = exchange
    if (total === undefined || [...url.searchParams.keys()].some((name) => !PAGE_PARAMETERS.includes(name))) return
    if (ids.size === total) for (const id of [...records[list].keys()].filter((id) => !ids.has(id))) forget(list, id)
    if (records[list].size === total) complete.add(list)
    else complete.delete(list)
  }

  return {
    add(call: RecordedCall): void {
      const { list, result, exchange } = call
      const id = toIdKey(call.id)
      if (id !== undefined && (exchange.status === 404 || (result === 'nothing' && succeeded(call)))) forget(list, id)
      if (result === 'nothing' || !succeeded(call)) return
      const body = call.body()
      const bodyId = idOf(list, body)
      if (result === 'list' && Array.isArray(body)) learnList(list, body, call)
      else if (result === 'record' && bodyId !== undefined) learn(list, bodyId, body as Fields)
      else unusable += 1
    },
    recordsOf: (list: ListName): readonly Fields[] => [...records[list].values()],
    incomplete: () => LIST_NAMES.filter((list) => !complete.has(list)),
    /** How many successful responses have no body that can be read. */
    unusable: () => unusable,
  }
}

/** Parameters that select no records. Any other one may. */
const PAGE_PARAMETERS = ['limit', 'offset', 'sort']

function idOf(list: ListName, item: unknown): IdKey | undefined {
  return isRecord(item) ? toIdKey(item[ID_FIELDS[list]]) : undefined
}
