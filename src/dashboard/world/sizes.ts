import { plural } from '../format.js'
import type { Sizes } from '../types.js'

export function describeSizes({ categories, pets, orders }: Sizes): string {
  return `${plural(categories, 'category', 'categories')}, ${plural(pets, 'pet')}, ${plural(orders, 'order')}`
}
