import type { QueryOf } from '../../engine/contract/types.js'
import type { CategoryRecord } from '../records.js'
import { findCategory } from './find.js'
import { createList, nameContains } from './lists.js'
import type { Handler } from './operation.js'

const list = createList<CategoryRecord, QueryOf<'listCategories'>>({
  sortFields: {
    ids: { id: (category) => category.id },
    values: { name: (category) => category.name, description: (category) => category.description },
  },
  narrow: ({ name }) => ({ kept: { name }, filters: [nameContains(name)] }),
})

export const listCategories: Handler<'listCategories'> = ({ world, query, base }) => {
  const { items, headers } = list(world.categories, query, `${base}/categories`)
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
