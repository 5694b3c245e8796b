import type { JsonId } from '../../tools/server/document-requests.js'
import type { Context } from '../../tools/verify/check.js'
import type { Fields } from '../../tools/verify/own-records.js'
import type { PetStatus } from '../records.js'

export interface PetOptions {
  readonly status?: PetStatus
  /** Its inventory is set to this. */
  readonly stock?: number
  /** Default: a category that several checks share. */
  readonly categoryId?: JsonId
}

export type PetstoreRecords = ReturnType<typeof createPetstoreRecords>

/** Creates the records of the Pet Store that checks need. */
export function createPetstoreRecords({ call, create, resources, unknownReference, newUnknownId }: Context) {
  const pets = resources.get('pets')
  return {
    /** The id of no pet and no category. */
    unknownReference: unknownReference(pets),
    newUnknownId: () => newUnknownId(pets),
    createCategory: () => create('categories'),

    async createPet({ stock, ...given }: PetOptions = {}) {
      const { id, name, categoryId } = await create('pets', given, { status: 'available' })
      if (stock !== undefined) {
        await call('updateInventory', { id, body: { quantity: stock } }, { fields: { petId: id, quantity: stock } })
      }
      return { id, name, categoryId }
    },

    /** An order with a date that marks it as ours, unless it is given one. Without a date it needs a marked quantity. */
    createOrder: async (given: Fields = {}): Promise<JsonId> =>
      (await create('orders', given, { quantity: 1, complete: false })).id,
  }
}
