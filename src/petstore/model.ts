import type { RecordsOf, StoreModel } from '../engine/store/model.js'
import type { Collections, Store } from '../engine/store/store.js'
import type { CategoryRecord, OrderRecord, PetRecord } from './records.js'

export type PetstoreShape = {
  categories: { record: CategoryRecord; groupings: never }
  pets: { record: PetRecord; groupings: 'categoryId' }
  orders: { record: OrderRecord; groupings: 'petId' | 'openPetId' }
}

export type PetstoreRecords = RecordsOf<PetstoreShape>
export type PetstoreStore = Store<PetstoreShape>
export type PetstoreCollections = Collections<PetstoreShape>

export const petstoreModel: StoreModel<PetstoreShape> = {
  categories: { fields: ['name', 'description'], groupings: {} },
  pets: {
    fields: ['name', 'categoryId', 'status', 'stock'],
    groupings: { categoryId: (pet) => pet.categoryId },
  },
  orders: {
    fields: ['petId', 'quantity', 'shipDate', 'complete'],
    groupings: {
      petId: (order) => order.petId ?? undefined,
      openPetId: (order) => (order.complete ? undefined : (order.petId ?? undefined)),
    },
  },
}
