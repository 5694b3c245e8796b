import { type Id, toJsonInt64 } from '../../lib/int64.js'
import { type Check, isRejected, reads, writes } from '../check.js'
import type { CallResult, Client } from '../client.js'
import { compareFields } from '../compare.js'
import { idsOf } from '../compare-page.js'
import { CannotCheck } from '../exchange.js'
import { inBody } from '../findings.js'

export const inventoryChecks: readonly Check[] = [
  reads('listInventory', 'returns a page of entries', async ({ call }) => {
    await call('listInventory', { query: 'limit=100' })
    await call('listInventory', {})
  }),

  writes('listInventory', 'lists the quantity and status of a pet', async (client, records) => {
    for (const [status, quantity] of [
      ['available', 7],
      ['sold', 0],
    ] as const) {
      const { id } = await records.pet(quantity > 0 ? { stock: quantity } : { status })
      const { response, index } = await findEntry(client, id)
      const noteAt = inBody(client.noteOn('listInventory', response))
      compareFields((response.value as unknown[])[index], { quantity, status }, noteAt, '/*')
    }
  }),

  reads('getInventory', 'returns the entry of the pet', async ({ call }, records) => {
    const { id } = await records.anyPet()
    await call('getInventory', { id }, { fields: { petId: toJsonInt64(id) } })
  }),

  writes('updateInventory', 'sets the quantity, and makes the pet available', async ({ call }, records) => {
    for (const status of ['sold', 'pending'] as const) {
      const { id } = await records.pet({ status })
      const fields = { petId: toJsonInt64(id), quantity: 4, status: 'available' }
      await call('updateInventory', { id, body: { quantity: 4 } }, { fields })
      await call('getInventory', { id }, { fields })
      await call('getPet', { id }, { fields: { status: 'available' } })
    }
  }),

  writes('updateInventory', 'makes an available pet sold when the quantity is 0', async ({ call }, records) => {
    const { id } = await records.pet({ stock: 2 })
    const fields = { petId: toJsonInt64(id), quantity: 0, status: 'sold' }
    await call('updateInventory', { id, body: { quantity: 0 } }, { fields })
    await call('getPet', { id }, { fields: { status: 'sold' } })
  }),

  writes('updateInventory', 'makes it pending instead if the pet has open orders', async ({ call }, records) => {
    const { id } = await records.pet({ stock: 2 })
    await records.order({ petId: toJsonInt64(id) })
    await call('updateInventory', { id, body: { quantity: 0 } }, { fields: { quantity: 0, status: 'pending' } })
    await call('getPet', { id }, { fields: { status: 'pending' } })
  }),

  writes('updateInventory', 'returns 422 INVALID_QUANTITY for a negative quantity', async ({ call }, records) => {
    const { id } = await records.pet({ stock: 2 })
    const response = await call('updateInventory', { id, body: { quantity: -1 } }, { code: 'INVALID_QUANTITY' })
    if (isRejected(response)) await call('getInventory', { id }, { fields: { quantity: 2 } })
  }),
]

/** There is no filter for one entry, but a new pet has one of the largest ids. */
async function findEntry(client: Client, id: Id): Promise<{ response: CallResult; index: number }> {
  for (const offset of [0, 100, 200]) {
    const response = await client.call('listInventory', { query: `limit=100&offset=${offset}&sort=-petId` })
    const index = idsOf(response.value, 'petId')?.indexOf(id) ?? -1
    if (index >= 0) return { response, index }
  }
  throw new CannotCheck('needs the entry of a new pet, which is not listed among the largest ids')
}
