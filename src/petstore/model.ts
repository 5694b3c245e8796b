import { nullable } from '../engine/store/database.js'
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
  categories: { fields: { name: String, description: nullable(String) }, groupings: {} },
  pets: {
    fields: { name: String, categoryId: String, status: String, stock: Number },
    groupings: { categoryId: (pet) => pet.categoryId },
  },
  orders: {
    fields: {
      petId: nullable(String),
      quantity: nullable(Number),
      shipDate: nullable(String),
      complete: nullable(Boolean),
    },
    groupings: {
      petId: (order) => order.petId ?? undefined,
      openPetId: (order) => (order.complete ? undefined : (order.petId ?? undefined)),
    },
  },
}
