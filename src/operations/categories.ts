import type { CategoryRecord } from '../model/records.js'
import { findCategory } from './find.js'
import { listPage, nameContains, type SortFields } from './lists.js'
import type { Handler } from './operation.js'

const SORT_FIELDS: SortFields<CategoryRecord> = {
  ids: { id: (category) => category.id },
  values: { name: (category) => category.name, description: (category) => category.description },
}

export const listCategories: Handler<'listCategories'> = ({ world, query, base }) => {
  const { name } = query
  const { items, headers } = listPage({
    collection: world.categories,
    path: `${base}/categories`,
    query,
    kept: { name },
    filters: [nameContains(name)],
    sortFields: SORT_FIELDS,
  })
  return { status: 200, body: items, headers }
}

export const createCategory: Handler<'createCategory'> = ({ world, body, base }) => {
  const category = world.categories.insert({ name: body.name, description: body.description ?? null })
  return { status: 201, body: category, headers: { Location: `${base}/categories/${category.id}` } }
}

export const getCategory: Handler<'getCategory'> = ({ world, path }) => {
  return { status: 200, body: findCategory(world, path.categoryId) }
}

export const updateCategory: Handler<'updateCategory'> = ({ world, path, body }) => {
  const { id } = findCategory(world, path.categoryId)
  const category = world.categories.replace({ id, name: body.name, description: body.description ?? null })
  return { status: 200, body: category }
}

export const deleteCategory: Handler<'deleteCategory'> = ({ world, rules, path }) => {
  const { id } = findCategory(world, path.categoryId)
  rules.checkCategoryUnused(world, id)
  world.categories.remove(id)
  return { status: 204 }
}
