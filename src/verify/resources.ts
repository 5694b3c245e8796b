import type { ServiceResponse } from './sender.js'

/** The kinds of records that verify creates. In the order they can be deleted: an order holds a pet, a pet a category. */
export const KINDS = ['order', 'pet', 'category'] as const
export type Kind = (typeof KINDS)[number]

export const RESOURCES = {
  order: { path: '/store/orders', list: 'listOrders', create: 'createOrder', read: 'getOrder', remove: 'deleteOrder' },
  pet: { path: '/pets', list: 'listPets', create: 'createPet', read: 'getPet', remove: 'deletePet' },
  category: {
    path: '/categories',
    list: 'listCategories',
    create: 'createCategory',
    read: 'getCategory',
    remove: 'deleteCategory',
  },
} as const satisfies Record<Kind, object>

/** What the inventory has is about pets. */
const KIND_BY_PATH: Readonly<Record<string, Kind>> = {
  '/store/orders': 'order',
  '/store/inventory': 'pet',
  '/pets': 'pet',
  '/categories': 'category',
}

/** The kind of record that a path is about, and the id in it as it is spelled there. */
export function parseTarget(target: string): { kind: Kind; id: string | undefined } | undefined {
  const [, path = '', id] = /^(\/(?:store\/)?[a-z]+)(?:\/([^/?]*))?(?:\?.*)?$/.exec(target) ?? []
  const kind = KIND_BY_PATH[path]
  return kind && { kind, id }
}

export const isSuccess = ({ status }: Pick<ServiceResponse, 'status'>): boolean => status >= 200 && status < 300
