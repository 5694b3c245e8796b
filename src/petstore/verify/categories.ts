import type { Check } from '../../tools/verify/check.js'
import { isRejected, writes } from './check.js'

/** Categories are deleted as the contract says. */
export const categoryChecks: readonly Check[] = [
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
