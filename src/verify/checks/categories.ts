import { toJsonInt64 } from '../../lib/int64.js'
import { type Check, isRefused, reads, writes } from '../check.js'

export const categoryChecks: readonly Check[] = [
  reads('listCategories', 'answers a page of categories', async ({ call }) => {
    await call('listCategories', { query: 'limit=100' })
    await call('listCategories', {})
  }),

  writes('createCategory', 'stores what it is given, and says where', async ({ call }, stock) => {
    const name = stock.name()
    await call('createCategory', { body: { name } }, { fields: { name, description: undefined } })
    await stock.category({ description: 'Made by petstore-mock verify' })
    await stock.category({ description: '' })
  }),

  reads('getCategory', 'answers the category', async ({ call }, stock) => {
    const { id } = await stock.anyCategory()
    await call('getCategory', { id }, { fields: { id: toJsonInt64(id) } })
  }),

  writes('getCategory', 'answers what was stored', async ({ call }, stock) => {
    const description = 'Made by petstore-mock verify'
    const { id, name } = await stock.category({ description })
    await call('getCategory', { id }, { fields: { id: toJsonInt64(id), name, description } })
  }),

  writes('updateCategory', 'replaces the category: what is left out is removed', async ({ call }, stock) => {
    const { id } = await stock.category({ description: 'Will go' })
    const [name, other] = [stock.name(), stock.name()]
    const described = { name, description: 'Will go too' }
    await call('updateCategory', { id, body: described }, { fields: { id: toJsonInt64(id), ...described } })
    const fields = { id: toJsonInt64(id), name: other, description: undefined }
    await call('updateCategory', { id, body: { id: 5, name: other } }, { fields })
    await call('getCategory', { id }, { fields })
  }),

  writes('deleteCategory', 'removes the category', async ({ call }, stock) => {
    const { id } = await stock.category()
    await call('deleteCategory', { id })
    await call('getCategory', { id }, { code: 'CATEGORY_NOT_FOUND' })
    await call('deleteCategory', { id }, { code: 'CATEGORY_NOT_FOUND' })
  }),

  writes('deleteCategory', 'answers 409 CATEGORY_IN_USE while there are pets of it', async ({ call }, stock) => {
    const { id, name } = await stock.category()
    await stock.pet({ categoryId: id, status: 'sold' })
    const answer = await call('deleteCategory', { id }, { code: 'CATEGORY_IN_USE' })
    if (isRefused(answer)) await call('getCategory', { id }, { fields: { name } })
  }),
]
