import { buildBaseStore, createStore } from '../../src/engine/store/store.js'
import { runNow } from '../../src/lib/steps.js'
import { type PetstoreRecords, type PetstoreStore, petstoreModel } from '../../src/petstore/model.js'

export const createBase = (records: Partial<PetstoreRecords> = {}) =>
  runNow(buildBaseStore(petstoreModel, { categories: [], pets: [], orders: [], ...records }))

/** A store over its own base. */
export function openStore(records: Partial<PetstoreRecords> = {}): PetstoreStore {
  return createStore(createBase(records))
}
