import type { CategoryRecord } from '../records.js'
import type { QueryOf } from '../types.js'
import { findCategory } from './find.js'
import { createList, nameContains } from './lists.js'
import type { Handler } from './operation.js'
import { rulesOf } from './rules.js'

const list = createList<CategoryRecord, never, QueryOf<'listCategories'>>({
  sortFields: {
    ids: { id: (category) => category.id },
    values: { name: (category) => category.name, description: (category) => category.description },
  },
  filter: ({ name }) => ({ linkParameters: { name }, filters: [nameContains(name)] }),
})

export const listCategories: Handler<'listCategories'> = ({ store, query, base }) =>
  list(store.categories, query, `${base}/categories`)

export const createCategory: Handler<'createCategory'> = ({ store, body, base }) => {
  const category = store.categories.insert({ name: body.name, description: body.description ?? null })
  return { status: 201, body: category, headers: { Location: `${base}/categories/${category.id}` } }
}

export const getCategory: Handler<'getCategory'> = ({ store, path }) => {
  return { status: 200, body: findCategory(store, path.categoryId) }
}

export const updateCategory: Handler<'updateCategory'> = ({ store, path, body }) => {
  const { id } = findCategory(store, path.categoryId)
  const category = store.categories.replace({ id, name: body.name, description: body.description ?? null })
  return { status: 200, body: category }
}

export const deleteCategory: Handler<'deleteCategory'> = ({ store, options, path }) => {
  const rules = rulesOf(options)
  const { id } = findCategory(store, path.categoryId)
  rules.checkCategoryUnused(store, id)
  store.categories.remove(id)
  return { status: 204 }
}
