import { toIdKey } from '../../lib/int64.js'
import type { Fixture } from '../../petstore/fixtures/format.js'
import { countOf } from './lists.js'
import type { RecordFilter } from './record-filter.js'

/** A pet needs a category: adds those that pets refer to and that are not known. Returns a note about them, if any. */
export function addMissingCategories({ categories, pets }: Fixture, filter: RecordFilter): string[] {
  const known = new Set(categories.map(({ id }) => toIdKey(id)))
  const referred = new Map(pets.map(({ categoryId }) => [toIdKey(categoryId), categoryId]))
  const missing = [...referred].filter(([key]) => !known.has(key)).map(([, id]) => id)
  for (const id of missing) {
    const category = filter.accept('categories', { id, name: `Category ${id}` })
    if (category) categories.push(category)
  }
  if (missing.length === 0) return []
  return [`The names of ${countOf('categories', missing.length)} are not known. They are "Category" and the id.`]
}
