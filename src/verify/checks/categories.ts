import { toJsonInt64 } from '../../lib/int64.js'
import { type Check, isRejected, reads, writes } from '../check.js'

export const categoryChecks: readonly Check[] = [
  reads('listCategories', 'returns a page of categories', async ({ call }) => {
    await call('listCategories', { query: 'limit=100' })
    await call('listCategories', {})
  }),

  writes('createCategory', 'stores the category, and returns its location', async ({ call }, records) => {
    const name = records.name()
    await call('createCategory', { body: { name } }, { fields: { name, description: undefined } })
    await records.category({ description: 'Created by petstore-mock verify' })
    await records.category({ description: '' })
  }),

  reads('getCategory', 'returns the category', async ({ call }, records) => {
    const { id } = await records.anyCategory()
    await call('getCategory', { id }, { fields: { id: toJsonInt64(id) } })
  }),

  writes('getCategory', 'returns what was stored', async ({ call }, records) => {
    const description = 'Created by petstore-mock verify'
    const { id, name } = await records.category({ description })
    await call('getCategory', { id }, { fields: { id: toJsonInt64(id), name, description } })
  }),

  writes('updateCategory', 'replaces the category, and removes fields that are left out', async (client, records) => {
    const { id } = await records.category({ description: 'Before' })
    const [name, other] = [records.name(), records.name()]
    const described = { name, description: 'After' }
    await client.call('updateCategory', { id, body: described }, { fields: { id: toJsonInt64(id), ...described } })
    const fields = { id: toJsonInt64(id), name: other, description: undefined }
    const body = { id: client.newUnknownId(), name: other }
    await client.call('updateCategory', { id, body }, { fields })
    await client.call('getCategory', { id }, { fields })
  }),

  writes('deleteCategory', 'deletes the category', async ({ call }, records) => {
    const { id } = await records.category()
    await call('deleteCategory', { id })
    await call('getCategory', { id }, { code: 'CATEGORY_NOT_FOUND' })
    await call('deleteCategory', { id }, { code: 'CATEGORY_NOT_FOUND' })
  }),

  writes('deleteCategory', 'returns 409 CATEGORY_IN_USE while the category has pets', async ({ call }, records) => {
    const { id, name } = await records.category()
    await records.pet({ categoryId: id, status: 'sold' })
    const response = await call('deleteCategory', { id }, { code: 'CATEGORY_IN_USE' })
    if (isRejected(response)) await call('getCategory', { id }, { fields: { name } })
  }),
]
