import { toJsonInt64 } from '../../lib/int64.js'
import type { Bench } from '../bench.js'
import { type Check, isRefused, reads, writes } from '../check.js'
import type { OwnPet } from '../stock.js'

export const petChecks: readonly Check[] = [
  reads('listPets', 'answers a page of pets', async ({ call }) => {
    await call('listPets', { query: 'limit=100' })
    await call('listPets', {})
  }),

  writes('createPet', 'stores what it is given, and says where', async ({ call }, stock) => {
    const { id, name, categoryId } = await stock.pet()
    const fields = { id: toJsonInt64(id), name, categoryId: toJsonInt64(categoryId), status: 'available' }
    await call('getPet', { id }, { fields })
  }),

  writes('createPet', 'gives the pet a stock of 1, or of 0 when it is sold', async ({ call }, stock) => {
    for (const status of ['available', 'pending', 'sold'] as const) {
      const { id } = await stock.pet({ status })
      const quantity = status === 'sold' ? 0 : 1
      await call('getInventory', { id }, { fields: { petId: toJsonInt64(id), quantity, status } })
    }
  }),

  writes('createPet', 'answers 422 UNKNOWN_CATEGORY for a category that is not there', async (bench, stock) => {
    const body = { name: stock.name(), categoryId: BigInt(bench.unknownId) }
    await bench.call('createPet', { body }, { code: 'UNKNOWN_CATEGORY' })
  }),

  reads('getPet', 'answers the pet', async ({ call }, stock) => {
    const { id } = await stock.anyPet()
    await call('getPet', { id }, { fields: { id: toJsonInt64(id) } })
  }),

  writes('updatePet', 'replaces the pet, and keeps its status where that is left out', async (bench, stock) => {
    const pet = await stock.pet({ status: 'pending' })
    const other = await stock.category()
    const body = { name: stock.name(), categoryId: toJsonInt64(other.id) }
    const fields = { id: toJsonInt64(pet.id), ...body, status: 'pending' }
    await bench.call('updatePet', { id: pet.id, body: { id: 5, ...body, colour: 'red' } }, { fields })
    await bench.call('getPet', { id: pet.id }, { fields: { ...fields, colour: undefined } })
  }),

  writes('updatePet', 'answers 422 UNKNOWN_CATEGORY and changes nothing', async ({ call, unknownId }, stock) => {
    const { id, name } = await stock.pet()
    const body = { name: stock.name(), categoryId: BigInt(unknownId) }
    const answer = await call('updatePet', { id, body }, { code: 'UNKNOWN_CATEGORY' })
    if (isRefused(answer)) await call('getPet', { id }, { fields: { name } })
  }),

  writes('updatePet', 'moves a pet from available to pending and back, and to sold', async (bench, stock) => {
    const pet = await stock.pet({ stock: 3 })
    for (const status of ['available', 'pending', 'pending', 'available', 'pending', 'sold', 'sold']) {
      await bench.call('updatePet', { id: pet.id, body: { ...bodyOf(pet), status } }, { fields: { status } })
    }
    await bench.call('getInventory', { id: pet.id }, { fields: { quantity: 0, status: 'sold' } })
  }),

  writes('updatePet', 'answers 409 INVALID_TRANSITION for any other move', async (bench, stock) => {
    const available = await stock.pet()
    await refuseMove(bench, available, 'available', 'sold')
    const sold = await stock.pet({ status: 'sold' })
    await refuseMove(bench, sold, 'sold', 'available')
    await refuseMove(bench, sold, 'sold', 'pending')
    const ordered = await stock.pet({ stock: 1 })
    await stock.order({ petId: toJsonInt64(ordered.id) })
    // The order has taken the last unit, and is still open.
    await refuseMove(bench, ordered, 'pending', 'available')
    await refuseMove(bench, ordered, 'pending', 'sold')
  }),

  writes('deletePet', 'removes the pet and its inventory entry', async ({ call }, stock) => {
    const { id } = await stock.pet()
    await call('deletePet', { id })
    await call('getPet', { id }, { code: 'PET_NOT_FOUND' })
    await call('getInventory', { id }, { code: 'PET_NOT_FOUND' })
    await call('deletePet', { id }, { code: 'PET_NOT_FOUND' })
  }),

  writes('deletePet', 'answers 409 PET_IN_USE while there are open orders for it', async ({ call }, stock) => {
    const { id } = await stock.pet({ stock: 2 })
    const order = await stock.order({ petId: toJsonInt64(id) })
    if (!isRefused(await call('deletePet', { id }, { code: 'PET_IN_USE' }))) return
    await call('getPet', { id }, { fields: { id: toJsonInt64(id) } })
    await call('deleteOrder', { id: order })
    await call('deletePet', { id })
  }),
]

function bodyOf({ name, categoryId }: OwnPet): object {
  return { name, categoryId: toJsonInt64(categoryId) }
}

async function refuseMove({ call }: Bench, pet: OwnPet, from: string, to: string): Promise<void> {
  const body = { ...bodyOf(pet), name: `${pet.name} moved`, status: to }
  const answer = await call('updatePet', { id: pet.id, body }, { code: 'INVALID_TRANSITION' })
  if (isRefused(answer)) await call('getPet', { id: pet.id }, { fields: { name: pet.name, status: from } })
}
