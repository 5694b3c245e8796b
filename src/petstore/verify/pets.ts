import type { Check } from '../../tools/verify/check.js'
import { isRejected, reads, writes } from './check.js'

/** Pets are stored, changed and deleted as the contract says, and their status moves only as it allows. */
export const petChecks: readonly Check[] = [
  writes('createPet', 'stores the pet, and returns its location', async ({ call, createPet }) => {
    const pet = await createPet()
    await call('getPet', { id: pet.id }, { fields: { ...pet, status: 'available' } })
  }),

  writes('createPet', 'sets the inventory to 1, or to 0 for a sold pet', async ({ call, createPet }) => {
    for (const [status, quantity] of [
      ['available', 1],
      ['pending', 1],
      ['sold', 0],
    ] as const) {
      const { id } = await createPet({ status })
      await call('getInventory', { id }, { fields: { petId: id, quantity, status } })
    }
  }),

  writes('createPet', 'returns 422 UNKNOWN_CATEGORY for an unknown category', async (context) => {
    const body = { name: context.newName(), categoryId: context.unknownReference }
    await context.call('createPet', { body }, { code: 'UNKNOWN_CATEGORY' })
  }),

  reads('getPet', 'returns the pet', async ({ call, any }) => {
    const id = await any('pets')
    await call('getPet', { id }, { fields: { id } })
  }),

  writes('updatePet', 'replaces the pet, and keeps a status that is left out', async (context) => {
    const { id } = await context.createPet({ status: 'pending' })
    const other = await context.createCategory()
    const sent = { name: context.newName(), categoryId: other.id }
    const fields = { id, ...sent, status: 'pending' }
    const body = { id: context.newUnknownId(), ...sent, colour: 'red' }
    await context.call('updatePet', { id, body }, { fields })
    await context.call('getPet', { id }, { fields: { ...fields, colour: undefined } })
  }),

  writes('updatePet', 'returns 422 UNKNOWN_CATEGORY, and changes nothing', async (context) => {
    const { id, name } = await context.createPet()
    const body = { name: context.newName(), categoryId: context.unknownReference }
    const response = await context.call('updatePet', { id, body }, { code: 'UNKNOWN_CATEGORY' })
    if (isRejected(response)) await context.call('getPet', { id }, { fields: { name } })
  }),

  writes('updatePet', 'moves a pet from available to pending and back, and to sold', async ({ call, createPet }) => {
    const { id, ...pet } = await createPet({ stock: 3 })
    for (const status of ['available', 'pending', 'pending', 'available', 'pending', 'sold', 'sold']) {
      await call('updatePet', { id, body: { ...pet, status } }, { fields: { status } })
    }
    await call('getInventory', { id }, { fields: { quantity: 0, status: 'sold' } })
  }),

  writes('updatePet', 'returns 409 INVALID_TRANSITION for any other move', async ({ call, createPet, createOrder }) => {
    for (const [options, from, ...moves] of [
      [{}, 'available', 'sold'],
      [{ status: 'sold' }, 'sold', 'available', 'pending'],
      // An open order takes the last unit.
      [{ stock: 1 }, 'pending', 'available', 'sold'],
    ] as const) {
      const { id, ...pet } = await createPet(options)
      if ('stock' in options) await createOrder({ petId: id })
      for (const status of moves) {
        const body = { ...pet, name: `${pet.name} moved`, status }
        const response = await call('updatePet', { id, body }, { code: 'INVALID_TRANSITION' })
        if (isRejected(response)) await call('getPet', { id }, { fields: { name: pet.name, status: from } })
      }
    }
  }),

  writes('deletePet', 'deletes the pet and its inventory entry', async ({ call, createPet }) => {
    const { id } = await createPet()
    await call('deletePet', { id })
    for (const gone of ['getPet', 'getInventory', 'deletePet'] as const) {
      await call(gone, { id }, { code: 'PET_NOT_FOUND' })
    }
  }),

  writes(
    'deletePet',
    'returns 409 PET_IN_USE while the pet has open orders',
    async ({ call, createPet, createOrder }) => {
      const { id } = await createPet({ stock: 2 })
      const order = await createOrder({ petId: id })
      if (!isRejected(await call('deletePet', { id }, { code: 'PET_IN_USE' }))) return
      await call('getPet', { id }, { fields: { id } })
      await call('deleteOrder', { id: order })
      await call('deletePet', { id })
    },
  ),
]
