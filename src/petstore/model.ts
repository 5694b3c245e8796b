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
  categories: { fields: { name: 'string', description: 'string | null' }, groupings: {} },
  pets: {
    fields: { name: 'string', categoryId: 'string', status: 'string', stock: 'number' },
    groupings: { categoryId: (pet) => pet.categoryId },
  },
  orders: {
    fields: {
      petId: 'string | null',
      quantity: 'number | null',
      shipDate: 'string | null',
      complete: 'boolean | null',
    },
    groupings: {
      petId: (order) => order.petId ?? undefined,
      openPetId: (order) => (order.complete ? undefined : (order.petId ?? undefined)),
    },
  },
}
