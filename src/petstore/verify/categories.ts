import { type Check, isRejected, reads, writes } from '../../remote/verify/check.js'

/** Categories are stored, returned, replaced and deleted as the contract says. */
export const categoryChecks: readonly Check[] = [
  writes(
    'createCategory',
    'stores the category, and returns its location',
    async ({ call, newName, createCategory }) => {
      const name = newName()
      await call('createCategory', { body: { name } }, { fields: { name, description: undefined } })
      await createCategory({ description: 'Created by petstore-mock verify' })
      await createCategory({ description: '' })
    },
  ),

  reads('getCategory', 'returns the category', async ({ call, any }) => {
    const id = await any('category')
    await call('getCategory', { id }, { fields: { id } })
  }),

  writes('getCategory', 'returns what was stored', async ({ call, createCategory }) => {
    const description = 'Created by petstore-mock verify'
    const { id, name } = await createCategory({ description })
    await call('getCategory', { id }, { fields: { id, name, description } })
  }),

  writes('updateCategory', 'replaces the category, and removes fields that are left out', async (context) => {
    const { call, newName } = context
    const { id } = await context.createCategory({ description: 'Before' })
    const [described, name] = [{ name: newName(), description: 'After' }, newName()]
    await call('updateCategory', { id, body: described }, { fields: { id, ...described } })
    const fields = { id, name, description: undefined }
    await call('updateCategory', { id, body: { id: context.newUnknownId(), name } }, { fields })
    await call('getCategory', { id }, { fields })
  }),

  writes('deleteCategory', 'deletes the category', async ({ call, createCategory }) => {
    const { id } = await createCategory()
    await call('deleteCategory', { id })
    await call('getCategory', { id }, { code: 'CATEGORY_NOT_FOUND' })
    await call('deleteCategory', { id }, { code: 'CATEGORY_NOT_FOUND' })
  }),

  writes('deleteCategory', 'returns 409 CATEGORY_IN_USE while the category has pets', async (context) => {
    const { id, name } = await context.createCategory()
    await context.createPet({ categoryId: id, status: 'sold' })
    const response = await context.call('deleteCategory', { id }, { code: 'CATEGORY_IN_USE' })
    if (isRejected(response)) await context.call('getCategory', { id }, { fields: { name } })
  }),
]
