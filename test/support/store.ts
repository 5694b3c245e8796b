import type { RecordsOf, StoreModel } from '../../src/engine/store/database.js'
import { buildBaseStore, createStore, type Store } from '../../src/engine/store/store.js'
import { runNow } from '../../src/lib/steps.js'
import type { PetstoreShape } from '../../src/petstore/records.js'
import { petstoreService } from '../../src/petstore/service.js'

export type PetstoreRecords = RecordsOf<PetstoreShape>
export type PetstoreStore = Store<PetstoreShape>

export const petstoreModel: StoreModel<PetstoreShape> = petstoreService.model

export const createBase = (records: Partial<PetstoreRecords> = {}) =>
  runNow(buildBaseStore(petstoreModel, { categories: [], pets: [], orders: [], ...records }))

/** A store over its own base. */
export function openStore(records: Partial<PetstoreRecords> = {}): PetstoreStore {
  return createStore(createBase(records))
}
