import { toJsonInt64 } from '../../lib/int64.js'
import { type Check, isRejected, reads, writes } from '../check.js'
import type { Client } from '../client.js'
import type { PetRecord } from '../records.js'

export const petChecks: readonly Check[] = [
  reads('listPets', 'returns a page of pets', async ({ call }) => {
    await call('listPets', { query: 'limit=100' })
    await call('listPets', {})
  }),

  writes('createPet', 'stores the pet, and returns its location', async ({ call }, records) => {
    const { id, name, categoryId } = await records.pet()
    const fields = { id: toJsonInt64(id), name, categoryId: toJsonInt64(categoryId), status: 'available' }
    await call('getPet', { id }, { fields })
  }),

  writes('createPet', 'sets the inventory to 1, or to 0 for a sold pet', async ({ call }, records) => {
    for (const status of ['available', 'pending', 'sold'] as const) {
      const { id } = await records.pet({ status })
      const quantity = status === 'sold' ? 0 : 1
      await call('getInventory', { id }, { fields: { petId: toJsonInt64(id), quantity, status } })
    }
  }),

  writes(
    'createPet',
    'returns 422 UNKNOWN_CATEGORY for an unknown category',
    async ({ call, unknownReference }, records) => {
      const body = { name: records.name(), categoryId: unknownReference }
      await call('createPet', { body }, { code: 'UNKNOWN_CATEGORY' })
    },
  ),

  reads('getPet', 'returns the pet', async ({ call }, records) => {
    const { id } = await records.anyPet()
    await call('getPet', { id }, { fields: { id: toJsonInt64(id) } })
  }),

  writes('updatePet', 'replaces the pet, and keeps a status that is left out', async (client, records) => {
    const pet = await records.pet({ status: 'pending' })
    const other = await records.category()
    const sent = { name: records.name(), categoryId: toJsonInt64(other.id) }
    const fields = { id: toJsonInt64(pet.id), ...sent, status: 'pending' }
    const body = { id: client.newUnknownId(), ...sent, colour: 'red' }
    await client.call('updatePet', { id: pet.id, body }, { fields })
    await client.call('getPet', { id: pet.id }, { fields: { ...fields, colour: undefined } })
  }),

  writes(
    'updatePet',
    'returns 422 UNKNOWN_CATEGORY, and changes nothing',
    async ({ call, unknownReference }, records) => {
      const { id, name } = await records.pet()
      const body = { name: records.name(), categoryId: unknownReference }
      const response = await call('updatePet', { id, body }, { code: 'UNKNOWN_CATEGORY' })
      if (isRejected(response)) await call('getPet', { id }, { fields: { name } })
    },
  ),

  writes('updatePet', 'moves a pet from available to pending and back, and to sold', async ({ call }, records) => {
    const pet = await records.pet({ stock: 3 })
    for (const status of ['available', 'pending', 'pending', 'available', 'pending', 'sold', 'sold']) {
      await call('updatePet', { id: pet.id, body: { ...bodyOf(pet), status } }, { fields: { status } })
    }
    await call('getInventory', { id: pet.id }, { fields: { quantity: 0, status: 'sold' } })
  }),

  writes('updatePet', 'returns 409 INVALID_TRANSITION for any other move', async (client, records) => {
    const available = await records.pet()
    await expectRejectedMove(client, available, 'available', 'sold')
    const sold = await records.pet({ status: 'sold' })
    await expectRejectedMove(client, sold, 'sold', 'available')
    await expectRejectedMove(client, sold, 'sold', 'pending')
    const ordered = await records.pet({ stock: 1 })
    await records.order({ petId: toJsonInt64(ordered.id) })
    // The open order has taken the last unit.
    await expectRejectedMove(client, ordered, 'pending', 'available')
    await expectRejectedMove(client, ordered, 'pending', 'sold')
  }),

  writes('deletePet', 'deletes the pet and its inventory entry', async ({ call }, records) => {
    const { id } = await records.pet()
    await call('deletePet', { id })
    await call('getPet', { id }, { code: 'PET_NOT_FOUND' })
    await call('getInventory', { id }, { code: 'PET_NOT_FOUND' })
    await call('deletePet', { id }, { code: 'PET_NOT_FOUND' })
  }),

  writes('deletePet', 'returns 409 PET_IN_USE while the pet has open orders', async ({ call }, records) => {
    const { id } = await records.pet({ stock: 2 })
    const order = await records.order({ petId: toJsonInt64(id) })
    if (!isRejected(await call('deletePet', { id }, { code: 'PET_IN_USE' }))) return
    await call('getPet', { id }, { fields: { id: toJsonInt64(id) } })
    await call('deleteOrder', { id: order })
    await call('deletePet', { id })
  }),
]

function bodyOf({ name, categoryId }: PetRecord): object {
  return { name, categoryId: toJsonInt64(categoryId) }
}

async function expectRejectedMove({ call }: Client, pet: PetRecord, from: string, to: string): Promise<void> {
  const body = { ...bodyOf(pet), name: `${pet.name} moved`, status: to }
  const response = await call('updatePet', { id: pet.id, body }, { code: 'INVALID_TRANSITION' })
  if (isRejected(response)) await call('getPet', { id: pet.id }, { fields: { name: pet.name, status: from } })
}
