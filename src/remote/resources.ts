/** The kinds of records, in an order in which they can be deleted: an order refers to a pet, a pet to a category. */
export const KINDS = ['order', 'pet', 'category'] as const
export type Kind = (typeof KINDS)[number]

export const RESOURCES = {
  order: { path: '/store/orders', list: 'listOrders', read: 'getOrder', remove: 'deleteOrder', key: 'id' },
  pet: { path: '/pets', list: 'listPets', read: 'getPet', remove: 'deletePet', key: 'id' },
  category: { path: '/categories', list: 'listCategories', read: 'getCategory', remove: 'deleteCategory', key: 'id' },
  /** An entry belongs to a pet and has its id. */
  inventory: { path: '/store/inventory', list: 'listInventory', read: 'getInventory', key: 'petId' },
} as const

export type Resource = keyof typeof RESOURCES

/** The error for an unknown id. */
export const NOT_FOUND = { order: 'ORDER_NOT_FOUND', pet: 'PET_NOT_FOUND', category: 'CATEGORY_NOT_FOUND' } as const

/** The kind of record that a path is about, and the id in it as it is spelled there. */
export function parseTarget(target: string): { kind?: Kind | undefined; id?: string | undefined } {
  const [, path, id] = /^(\/(?:store\/)?[a-z]+)(?:\/([^/?]*))?/.exec(target) ?? []
  const kind = path === RESOURCES.inventory.path ? 'pet' : KINDS.find((each) => RESOURCES[each].path === path)
  return { kind, id }
}
