import type { ListName } from '../../petstore/fixtures/lists.js'
import { RESOURCES } from '../resources.js'

/** The resource of the API that each list of a fixture holds. */
export const LISTS = {
  categories: RESOURCES.category,
  pets: RESOURCES.pet,
  inventory: RESOURCES.inventory,
  orders: RESOURCES.order,
} as const satisfies Record<ListName, object>

const NOUNS: Readonly<Record<ListName, readonly [singular: string, plural: string]>> = {
  categories: ['category', 'categories'],
  pets: ['pet', 'pets'],
  inventory: ['inventory entry', 'inventory entries'],
  orders: ['order', 'orders'],
}

/** Its singular, such as `pet`. */
export function nounOf(list: ListName): string {
  return NOUNS[list][0]
}

/** Its plural, such as `pets`. */
export function pluralOf(list: ListName): string {
  return NOUNS[list][1]
}

/** A number of records, such as `1 pet` or `10,000 pets`. */
export function countOf(list: ListName, count: number): string {
  return `${count.toLocaleString('en-US')} ${NOUNS[list][count === 1 ? 0 : 1]}`
}

/** `pets`, `pets and orders`, `categories, pets and orders` */
export function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
