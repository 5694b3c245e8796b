import type { JsonInt64 } from '../../lib/int64.js'
import { CannotCheck } from '../../remote/cannot-check.js'
import { type Check, type Context, isRejected, reads, writes } from '../../remote/verify/check.js'
import { compareFields } from '../../remote/verify/compare-response.js'
import { inBody } from '../../remote/verify/findings.js'
import { idsOf } from '../../remote/verify/listed-records.js'
import type { Fields } from '../../remote/verify/own-records.js'

/** The inventory has the quantity and status of every pet, and setting a quantity changes the status. */
export const inventoryChecks: readonly Check[] = [
  writes('listInventory', 'lists the quantity and status of a pet', async (context) => {
    for (const [options, fields] of [
      [{ stock: 7 }, { quantity: 7, status: 'available' }],
      [{ status: 'sold' }, { quantity: 0, status: 'sold' }],
    ] as const) {
      const { id } = await context.createPet(options)
      await compareEntry(context, id, fields)
    }
  }),

  reads('getInventory', 'returns the entry of the pet', async ({ call, any }) => {
    const id = await any('pet')
    await call('getInventory', { id }, { fields: { petId: id } })
  }),

  writes('updateInventory', 'sets the quantity, and makes the pet available', async ({ call, createPet }) => {
    for (const status of ['sold', 'pending'] as const) {
      const { id } = await createPet({ status })
      const fields = { petId: id, quantity: 4, status: 'available' }
      await call('updateInventory', { id, body: { quantity: 4 } }, { fields })
      await call('getInventory', { id }, { fields })
      await call('getPet', { id }, { fields: { status: 'available' } })
    }
  }),

  writes('updateInventory', 'makes an available pet sold when the quantity is 0', async ({ call, createPet }) => {
    const { id } = await createPet({ stock: 2 })
    const fields = { petId: id, quantity: 0, status: 'sold' }
    await call('updateInventory', { id, body: { quantity: 0 } }, { fields })
    await call('getPet', { id }, { fields: { status: 'sold' } })
  }),

  writes('updateInventory', 'makes it pending instead if the pet has open orders', async (context) => {
    const { id } = await context.createPet({ stock: 2 })
    await context.createOrder({ petId: id })
    const fields = { quantity: 0, status: 'pending' }
    await context.call('updateInventory', { id, body: { quantity: 0 } }, { fields })
    await context.call('getPet', { id }, { fields: { status: 'pending' } })
  }),

  writes('updateInventory', 'returns 422 INVALID_QUANTITY for a negative quantity', async ({ call, createPet }) => {
    const { id } = await createPet({ stock: 2 })
    const response = await call('updateInventory', { id, body: { quantity: -1 } }, { code: 'INVALID_QUANTITY' })
    if (isRejected(response)) await call('getInventory', { id }, { fields: { quantity: 2 } })
  }),
]

/** There is no filter for one entry, but a new pet has one of the largest ids. */
async function compareEntry({ call, noteOn }: Context, id: JsonInt64, fields: Fields): Promise<void> {
  for (const offset of [0, 100, 200]) {
    const response = await call('listInventory', { query: `limit=100&offset=${offset}&sort=-petId` })
    const index = idsOf(response.value, 'petId')?.indexOf(String(id)) ?? -1
    if (index < 0) continue
    const noteAt = inBody(noteOn('listInventory', response))
    return compareFields((response.value as unknown[])[index], fields, noteAt, '/*')
  }
  throw new CannotCheck('needs the entry of a new pet, which is not listed among the largest ids')
}
