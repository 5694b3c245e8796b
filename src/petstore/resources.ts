import type { ResourceAdditions } from '../engine/resources/additions.js'
import type { RandomSource } from '../lib/random.js'
import { parseDateTime } from '../lib/time.js'
import { isOpen, stockOf } from './consistency.js'
import { COMMON_KINDS, OTHER_KINDS } from './fixtures/animals.js'
import type { CategoryRecord, OrderRecord, PetRecord } from './records.js'

const nameContains = ({ name }: { readonly name: string }, text: string) =>
  name.toLowerCase().includes(text.toLowerCase())

const categories: ResourceAdditions<CategoryRecord> = {
  path: '/categories',
  acceptsIds: false,
  filters: { name: nameContains },
  sample(random, given) {
    const { name, description } = pick(KINDS, random)
    return 'name' in given ? {} : { name, description }
  },
}

const pets: ResourceAdditions<PetRecord> = {
  path: '/pets',
  references: { categoryId: 'categories' },
  defaults: { status: 'available', stock: stockOf },
  filters: { name: nameContains },
  inline: { property: 'category', reference: 'categoryId', by: 'name' },
  rejections: {
    INVALID_TRANSITION: {
      property: 'status',
      text: 'the pet cannot have this status next. It becomes pending before it is sold, and available when it is restocked in Inventory.',
    },
  },
  sample: (random) => ({ name: pick(pick(KINDS, random).names, random) }),
}

const orders: ResourceAdditions<OrderRecord> = {
  path: '/store/orders',
  acceptsIds: false,
  references: { petId: { to: 'pets', when: isOpen } },
  groups: { openPetId: (order) => (order.complete ? undefined : order.petId) },
  sample: () => ({}),
  normalize: { shipDate: (text) => parseDateTime(text) ?? text },
  filters: { complete: (order, complete: boolean) => (order.complete ?? false) === complete },
  rejections: {
    INSUFFICIENT_STOCK: {
      property: 'quantity',
      text: 'this is more than there is in stock. Order fewer, or raise the stock in Inventory.',
    },
    INVALID_QUANTITY: { property: 'quantity', text: 'enter 1 or more.' },
    PET_NOT_AVAILABLE: { property: 'petId', text: 'this pet is not available. Choose another one.' },
  },
}

/** Every pet has one entry, which is created and deleted with it. */
const inventory: ResourceAdditions<PetRecord> = {
  path: '/store/inventory',
  noun: 'pet',
  view: {
    of: 'pets',
    fields: { petId: 'id', quantity: 'stock', status: 'status' },
    whenUnknown: 'It is 1, or 0 for a sold pet.',
  },
  filters: { maxQuantity: (pet, quantity: number) => pet.stock <= quantity },
  rejections: { INVALID_QUANTITY: { property: 'quantity', text: 'enter 0 or more.' } },
}

/** What the OpenAPI document does not say about the resources. */
export const resources = { categories, pets, orders, inventory }

const KINDS = [...COMMON_KINDS, ...OTHER_KINDS]

export function pick<T>(values: readonly T[], random: RandomSource): T {
  return values[Math.floor(random() * values.length)] as T
}
