import { type Id, toJsonInt64 } from '../../lib/int64.js'
import { type Bench, type Outcome, Unable } from '../bench.js'
import { type Check, isRefused, reads, writes } from '../check.js'
import type { Differ } from '../differ.js'
import { bodyAspect } from '../findings.js'
import { judgeFields } from '../judge.js'
import { idsOf } from '../pages.js'

export const inventoryChecks: readonly Check[] = [
  reads('listInventory', 'answers a page of entries', async ({ call }) => {
    await call('listInventory', { query: 'limit=100' })
    await call('listInventory', {})
  }),

  writes('listInventory', 'shows the entry of a pet as it is', async (bench, stock) => {
    for (const [status, quantity] of [
      ['available', 7],
      ['sold', 0],
    ] as const) {
      const { id } = await stock.pet(quantity > 0 ? { stock: quantity } : { status })
      const { answer, index } = await find(bench, id)
      const differ = bench.differ('listInventory', answer)
      const at: Differ = (pointer, ...rest) => differ(bodyAspect(pointer), ...rest)
      judgeFields((answer.value as unknown[])[index], { quantity, status }, at, '/*')
    }
  }),

  reads('getInventory', 'answers the entry of the pet', async ({ call }, stock) => {
    const { id } = await stock.anyPet()
    await call('getInventory', { id }, { fields: { petId: toJsonInt64(id) } })
  }),

  writes('updateInventory', 'sets the stock, and makes the pet available', async ({ call }, stock) => {
    for (const status of ['sold', 'pending'] as const) {
      const { id } = await stock.pet({ status })
      const fields = { petId: toJsonInt64(id), quantity: 4, status: 'available' }
      await call('updateInventory', { id, body: { quantity: 4 } }, { fields })
      await call('getInventory', { id }, { fields })
      await call('getPet', { id }, { fields: { status: 'available' } })
    }
  }),

  writes('updateInventory', 'makes an available pet sold where nothing is left', async ({ call }, stock) => {
    const { id } = await stock.pet({ stock: 2 })
    const fields = { petId: toJsonInt64(id), quantity: 0, status: 'sold' }
    await call('updateInventory', { id, body: { quantity: 0 } }, { fields })
    await call('getPet', { id }, { fields: { status: 'sold' } })
  }),

  writes('updateInventory', 'makes it pending where there are open orders for it', async ({ call }, stock) => {
    const { id } = await stock.pet({ stock: 2 })
    await stock.order({ petId: toJsonInt64(id) })
    await call('updateInventory', { id, body: { quantity: 0 } }, { fields: { quantity: 0, status: 'pending' } })
    await call('getPet', { id }, { fields: { status: 'pending' } })
  }),

  writes('updateInventory', 'answers 422 INVALID_QUANTITY for less than nothing', async ({ call }, stock) => {
    const { id } = await stock.pet({ stock: 2 })
    const answer = await call('updateInventory', { id, body: { quantity: -1 } }, { code: 'INVALID_QUANTITY' })
    if (isRefused(answer)) await call('getInventory', { id }, { fields: { quantity: 2 } })
  }),
]

/** No filter leads to one entry, but what is new is among the largest ids, or close behind them. */
async function find(bench: Bench, id: Id): Promise<{ answer: Outcome; index: number }> {
  for (const offset of [0, 100, 200]) {
    const answer = await bench.call('listInventory', { query: `limit=100&offset=${offset}&sort=-petId` })
    const index = idsOf(answer.value, 'petId')?.indexOf(id) ?? -1
    if (index >= 0) return { answer, index }
  }
  throw new Unable('it needs the entry of a new pet, which is not among the largest ids')
}
