import { toJsonInt64 } from '../../lib/int64.js'
import { type Check, isRefused, reads, writes } from '../check.js'
import { Some } from '../judge.js'

const SOME_DATE = new Some('a date-time', (value) => typeof value === 'string')

export const orderChecks: readonly Check[] = [
  reads('listOrders', 'answers a page of orders', async ({ call }) => {
    await call('listOrders', { query: 'limit=100' })
    await call('listOrders', {})
  }),

  reads('getOrder', 'answers the order', async ({ call }, stock) => {
    const id = await stock.anyOrder()
    await call('getOrder', { id }, { fields: { id: toJsonInt64(id) } })
  }),

  writes('createOrder', 'fills in quantity and complete, and needs no pet', async ({ call }, stock) => {
    const fields = { petId: undefined, quantity: 1, shipDate: undefined, complete: false }
    const { id } = await call('createOrder', { body: {} }, { fields })
    if (id !== undefined) await call('getOrder', { id }, { fields: { id: toJsonInt64(id), ...fields } })
    await stock.order({ quantity: 7 })
  }),

  writes('createOrder', 'takes any RFC 3339 date-time, and answers in UTC', async ({ call }) => {
    const dates = [
      ['2026-02-04T11:00:00+01:00', '2026-02-04T10:00:00.000Z'],
      ['2026-02-04t11:00:00.25z', '2026-02-04T11:00:00.250Z'],
      ['2024-02-29T23:30:00-00:00', '2024-02-29T23:30:00.000Z'],
    ]
    for (const [shipDate, answered] of dates) {
      await call('createOrder', { body: { shipDate } }, { fields: { shipDate: answered } })
    }
  }),

  writes(
    'createOrder',
    'takes its units out of the stock; the last one makes the pet pending',
    async (bench, stock) => {
      const { id } = await stock.pet({ stock: 3 })
      const petId = toJsonInt64(id)
      await stock.order({ petId, quantity: 2 })
      await bench.call('getInventory', { id }, { fields: { quantity: 1, status: 'available' } })
      await stock.order({ petId })
      await bench.call('getInventory', { id }, { fields: { quantity: 0, status: 'pending' } })
      await bench.call('getPet', { id }, { fields: { status: 'pending' } })
    },
  ),

  writes('createOrder', 'answers 409 INSUFFICIENT_STOCK for more than there is', async ({ call }, stock) => {
    const { id } = await stock.pet({ stock: 2 })
    const body = { petId: toJsonInt64(id), quantity: 3 }
    const answer = await call('createOrder', { body }, { code: 'INSUFFICIENT_STOCK' })
    if (isRefused(answer)) await call('getInventory', { id }, { fields: { quantity: 2, status: 'available' } })
  }),

  writes('createOrder', 'answers 409 PET_NOT_AVAILABLE for a pending or sold pet', async ({ call }, stock) => {
    for (const status of ['pending', 'sold'] as const) {
      const { id } = await stock.pet({ status })
      await call('createOrder', { body: { petId: toJsonInt64(id) } }, { code: 'PET_NOT_AVAILABLE' })
    }
  }),

  writes('createOrder', 'answers 422 for a pet that is not there, and for no units', async (bench, stock) => {
    const petId = toJsonInt64((await stock.anyPet()).id)
    await bench.call('createOrder', { body: { petId: BigInt(bench.unknownId) } }, { code: 'UNKNOWN_PET' })
    await bench.call('createOrder', { body: { petId, quantity: 0 } }, { code: 'INVALID_QUANTITY' })
    await bench.call('createOrder', { body: { quantity: -1 } }, { code: 'INVALID_QUANTITY' })
  }),

  writes('createOrder', 'places and completes in one step what is complete', async ({ call }, stock) => {
    const shipDate = '2026-02-04T10:00:00.000Z'
    const { id } = await stock.pet({ stock: 1 })
    await stock.order({ petId: toJsonInt64(id), complete: true, shipDate })
    await call('getInventory', { id }, { fields: { quantity: 0, status: 'sold' } })
  }),

  writes('updateOrder', 'changes the fields it is given and leaves the rest', async ({ call }, stock) => {
    const id = await stock.order({ quantity: 2 })
    const shipDate = '2026-02-10T08:00:00.000Z'
    const fields = { id: toJsonInt64(id), quantity: 2, shipDate, complete: false }
    await call('updateOrder', { id, body: { shipDate: '2026-02-10T08:00:00Z' } }, { fields })
    await call('updateOrder', { id, body: {} }, { fields })
    await call(
      'updateOrder',
      { id, body: { id: 5, quantity: 3, colour: 'red' } },
      { fields: { ...fields, quantity: 3 } },
    )
    await call('getOrder', { id }, { fields: { ...fields, quantity: 3, colour: undefined } })
  }),

  writes('updateOrder', 'moves units between the order and the stock', async ({ call }, stock) => {
    const { id } = await stock.pet({ stock: 3 })
    const other = await stock.pet({ stock: 5 })
    const order = await stock.order({ petId: toJsonInt64(id), quantity: 2 })
    await call('updateOrder', { id: order, body: { quantity: 3 } }, { fields: { quantity: 3 } })
    await call('getInventory', { id }, { fields: { quantity: 0, status: 'pending' } })
    const petId = toJsonInt64(other.id)
    await call('updateOrder', { id: order, body: { petId } }, { fields: { petId, quantity: 3 } })
    await call('getInventory', { id }, { fields: { quantity: 3, status: 'available' } })
    await call('getInventory', { id: other.id }, { fields: { quantity: 2, status: 'available' } })
  }),

  writes('updateOrder', 'answers 409 and 422 as placing it would, and changes nothing', async (bench, stock) => {
    const { id } = await stock.pet({ stock: 3 })
    const sold = await stock.pet({ status: 'sold' })
    const order = await stock.order({ petId: toJsonInt64(id), quantity: 2 })
    const refusals = [
      [{ quantity: 4 }, 'INSUFFICIENT_STOCK'],
      [{ petId: toJsonInt64(sold.id) }, 'PET_NOT_AVAILABLE'],
      [{ petId: BigInt(bench.unknownId) }, 'UNKNOWN_PET'],
      [{ quantity: 0 }, 'INVALID_QUANTITY'],
    ] as const
    let isUntouched = true
    for (const [body, code] of refusals) {
      const answer = await bench.call('updateOrder', { id: order, body }, { code })
      isUntouched &&= isRefused(answer)
    }
    if (!isUntouched) return
    await bench.call('getOrder', { id: order }, { fields: { petId: toJsonInt64(id), quantity: 2, complete: false } })
    await bench.call('getInventory', { id }, { fields: { quantity: 1, status: 'available' } })
  }),

  writes(
    'updateOrder',
    'completes the order: it is shipped, its pet sold, and it stays as it is',
    async (bench, stock) => {
      const { call } = bench
      const { id } = await stock.pet({ stock: 2 })
      const order = await stock.order({ petId: toJsonInt64(id), quantity: 2 })
      const fields = { quantity: 2, shipDate: SOME_DATE, complete: true }
      await call('updateOrder', { id: order, body: { complete: true } }, { fields })
      await call('getOrder', { id: order }, { fields })
      await call('getPet', { id }, { fields: { status: 'sold' } })
      await call('updateOrder', { id: order, body: { complete: true, quantity: 2 } }, { fields })
      let isUntouched = true
      for (const body of [{ complete: false }, { quantity: 1 }, { shipDate: '2026-02-10T08:00:00Z' }]) {
        const answer = await call('updateOrder', { id: order, body }, { code: 'ORDER_COMPLETE' })
        isUntouched &&= isRefused(answer)
      }
      isUntouched &&= isRefused(await call('deleteOrder', { id: order }, { code: 'ORDER_COMPLETE' }))
      if (!isUntouched) return
      await call('getOrder', { id: order }, { fields })
      await call('deletePet', { id })
      await call('getOrder', { id: order }, { fields })
    },
  ),

  writes(
    'deleteOrder',
    'cancels the order: its units go back, and a pending pet is available',
    async (bench, stock) => {
      const { id } = await stock.pet({ stock: 2 })
      const order = await stock.order({ petId: toJsonInt64(id), quantity: 2 })
      await bench.call('getInventory', { id }, { fields: { quantity: 0, status: 'pending' } })
      await bench.call('deleteOrder', { id: order })
      await bench.call('getInventory', { id }, { fields: { quantity: 2, status: 'available' } })
      await bench.call('getOrder', { id: order }, { code: 'ORDER_NOT_FOUND' })
      await bench.call('deleteOrder', { id: order }, { code: 'ORDER_NOT_FOUND' })
    },
  ),
]
