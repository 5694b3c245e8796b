import type { ServiceResponse } from './sender.js'

/** The kinds of records, in an order in which they can be deleted: an order refers to a pet, a pet to a category. */
export const KINDS = ['order', 'pet', 'category'] as const
export type Kind = (typeof KINDS)[number]

/** The path of each kind, its operations, and the error for an unknown id. */
export const RESOURCES = {
  order: {
    path: '/store/orders',
    list: 'listOrders',
    read: 'getOrder',
    remove: 'deleteOrder',
    notFound: 'ORDER_NOT_FOUND',
  },
  pet: { path: '/pets', list: 'listPets', read: 'getPet', remove: 'deletePet', notFound: 'PET_NOT_FOUND' },
  category: {
    path: '/categories',
    list: 'listCategories',
    read: 'getCategory',
    remove: 'deleteCategory',
    notFound: 'CATEGORY_NOT_FOUND',
  },
} as const satisfies Record<Kind, object>

/** An inventory entry belongs to a pet and has its id. */
const KIND_BY_PATH: Readonly<Record<string, Kind>> = {
  '/store/orders': 'order',
  '/store/inventory': 'pet',
  '/pets': 'pet',
  '/categories': 'category',
}

/** The kind of record that a path is about, and the id in it as it is spelled there. */
export function parseTarget(target: string): { kind?: Kind | undefined; id?: string | undefined } {
  const [, path = '', id] = /^(\/(?:store\/)?[a-z]+)(?:\/([^/?]*))?/.exec(target) ?? []
  return { kind: KIND_BY_PATH[path], id }
}

export const isSuccess = ({ status }: Pick<ServiceResponse, 'status'>): boolean => status >= 200 && status < 300
