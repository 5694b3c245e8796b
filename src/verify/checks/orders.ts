import { toJsonInt64 } from '../../lib/int64.js'
import { type Check, isRejected, reads, writes } from '../check.js'
import { ANY } from '../compare.js'

export const orderChecks: readonly Check[] = [
  reads('listOrders', 'returns a page of orders', async ({ call }) => {
    await call('listOrders', { query: 'limit=100' })
    await call('listOrders', {})
  }),

  reads('getOrder', 'returns the order', async ({ call }, records) => {
    const { id } = await records.anyOrder()
    await call('getOrder', { id }, { fields: { id: toJsonInt64(id) } })
  }),

  writes('createOrder', 'needs no pet, and fills in quantity and complete', async ({ call }, records) => {
    // Never without any field: an order must be recognisable as ours to be deleted.
    for (const body of [{ shipDate: records.shipDate() }, { quantity: records.quantity() }]) {
      const fields = { petId: undefined, quantity: 1, shipDate: undefined, complete: false, ...body }
      const { id } = await call('createOrder', { body }, { fields })
      if (id !== undefined) await call('getOrder', { id }, { fields: { id: toJsonInt64(id), ...fields } })
    }
  }),

  writes('createOrder', 'accepts any RFC 3339 date-time, and returns it in UTC', async ({ call }, records) => {
    for (const [shipDate, inUtc] of [
      ['2026-02-04T11:00:00+01:00', '2026-02-04T10:00:00.000Z'],
      ['2026-02-04t11:00:00.25z', '2026-02-04T11:00:00.250Z'],
      ['2024-02-29T23:30:00-00:00', '2024-02-29T23:30:00.000Z'],
    ]) {
      await call('createOrder', { body: { quantity: records.quantity(), shipDate } }, { fields: { shipDate: inUtc } })
    }
  }),

  writes('createOrder', 'takes units from the stock; the last one makes the pet pending', async ({ call }, records) => {
    const { id } = await records.pet({ stock: 3 })
    const petId = toJsonInt64(id)
    await records.order({ petId, quantity: 2 })
    await call('getInventory', { id }, { fields: { quantity: 1, status: 'available' } })
    await records.order({ petId })
    await call('getInventory', { id }, { fields: { quantity: 0, status: 'pending' } })
    await call('getPet', { id }, { fields: { status: 'pending' } })
  }),

  writes('createOrder', 'returns 409 INSUFFICIENT_STOCK for more than the stock', async ({ call }, records) => {
    const { id } = await records.pet({ stock: 2 })
    const body = { petId: toJsonInt64(id), quantity: 3, shipDate: records.shipDate() }
    const response = await call('createOrder', { body }, { code: 'INSUFFICIENT_STOCK' })
    if (isRejected(response)) await call('getInventory', { id }, { fields: { quantity: 2, status: 'available' } })
  }),

  writes('createOrder', 'returns 409 PET_NOT_AVAILABLE for a pending or sold pet', async ({ call }, records) => {
    for (const status of ['pending', 'sold'] as const) {
      const { id } = await records.pet({ status })
      const body = { petId: toJsonInt64(id), shipDate: records.shipDate() }
      await call('createOrder', { body }, { code: 'PET_NOT_AVAILABLE' })
    }
  }),

  writes('createOrder', 'returns 422 for an unknown pet or a quantity below 1', async (client, records) => {
    const shipDate = records.shipDate()
    const unknownPet = { petId: client.unknownReference, shipDate }
    const petId = toJsonInt64((await records.anyPet()).id)
    await client.call('createOrder', { body: unknownPet }, { code: 'UNKNOWN_PET' })
    await client.call('createOrder', { body: { petId, quantity: 0, shipDate } }, { code: 'INVALID_QUANTITY' })
    await client.call('createOrder', { body: { quantity: -1, shipDate } }, { code: 'INVALID_QUANTITY' })
  }),

  writes('createOrder', 'places and completes an order that is sent as complete', async ({ call }, records) => {
    const { id } = await records.pet({ stock: 1 })
    await records.order({ petId: toJsonInt64(id), complete: true })
    await call('getInventory', { id }, { fields: { quantity: 0, status: 'sold' } })
  }),

  writes('updateOrder', 'changes the fields in the body, and keeps the others', async (client, records) => {
    const { call } = client
    const id = await records.order({ quantity: 2 })
    const shipDate = records.shipDate()
    const fields = { id: toJsonInt64(id), quantity: 2, shipDate, complete: false }
    await call('updateOrder', { id, body: { shipDate: shipDate.replace('.000Z', 'Z') } }, { fields })
    await call('updateOrder', { id, body: {} }, { fields })
    const body = { id: client.newUnknownId(), quantity: 3, colour: 'red' }
    await call('updateOrder', { id, body }, { fields: { ...fields, quantity: 3 } })
    await call('getOrder', { id }, { fields: { ...fields, quantity: 3, colour: undefined } })
  }),

  writes('updateOrder', 'moves units between the order and the stock', async ({ call }, records) => {
    const { id } = await records.pet({ stock: 3 })
    const other = await records.pet({ stock: 5 })
    const order = await records.order({ petId: toJsonInt64(id), quantity: 2 })
    await call('updateOrder', { id: order, body: { quantity: 3 } }, { fields: { quantity: 3 } })
    await call('getInventory', { id }, { fields: { quantity: 0, status: 'pending' } })
    const petId = toJsonInt64(other.id)
    await call('updateOrder', { id: order, body: { petId } }, { fields: { petId, quantity: 3 } })
    await call('getInventory', { id }, { fields: { quantity: 3, status: 'available' } })
    await call('getInventory', { id: other.id }, { fields: { quantity: 2, status: 'available' } })
  }),

  writes(
    'updateOrder',
    'returns the errors of createOrder, and changes nothing',
    async ({ call, unknownReference }, records) => {
      const { id } = await records.pet({ stock: 3 })
      const sold = await records.pet({ status: 'sold' })
      const order = await records.order({ petId: toJsonInt64(id), quantity: 2 })
      let isUnchanged = true
      for (const [body, code] of [
        [{ quantity: 4 }, 'INSUFFICIENT_STOCK'],
        [{ petId: toJsonInt64(sold.id) }, 'PET_NOT_AVAILABLE'],
        [{ petId: unknownReference }, 'UNKNOWN_PET'],
        [{ quantity: 0 }, 'INVALID_QUANTITY'],
      ] as const) {
        isUnchanged = isRejected(await call('updateOrder', { id: order, body }, { code })) && isUnchanged
      }
      if (!isUnchanged) return
      await call('getOrder', { id: order }, { fields: { petId: toJsonInt64(id), quantity: 2, complete: false } })
      await call('getInventory', { id }, { fields: { quantity: 1, status: 'available' } })
    },
  ),

  writes('updateOrder', 'completes the order, which is final, and sells its pet', async ({ call }, records) => {
    const quantity = records.quantity()
    const { id } = await records.pet({ stock: quantity })
    const order = await records.order({ petId: toJsonInt64(id), quantity, shipDate: undefined })
    const fields = { quantity, shipDate: ANY, complete: true }
    await call('updateOrder', { id: order, body: { complete: true } }, { fields })
    await call('getOrder', { id: order }, { fields })
    await call('getPet', { id }, { fields: { status: 'sold' } })
    await call('updateOrder', { id: order, body: { complete: true, quantity } }, { fields })
    let isUnchanged = true
    for (const body of [{ complete: false }, { quantity: records.quantity() }, { shipDate: records.shipDate() }]) {
      isUnchanged =
        isRejected(await call('updateOrder', { id: order, body }, { code: 'ORDER_COMPLETE' })) && isUnchanged
    }
    isUnchanged = isRejected(await call('deleteOrder', { id: order }, { code: 'ORDER_COMPLETE' })) && isUnchanged
    if (!isUnchanged) return
    await call('getOrder', { id: order }, { fields })
    await call('deletePet', { id })
    await call('getOrder', { id: order }, { fields })
  }),

  writes('deleteOrder', 'returns the units, which makes a pending pet available', async ({ call }, records) => {
    const { id } = await records.pet({ stock: 2 })
    const order = await records.order({ petId: toJsonInt64(id), quantity: 2 })
    await call('getInventory', { id }, { fields: { quantity: 0, status: 'pending' } })
    await call('deleteOrder', { id: order })
    await call('getInventory', { id }, { fields: { quantity: 2, status: 'available' } })
    await call('getOrder', { id: order }, { code: 'ORDER_NOT_FOUND' })
    await call('deleteOrder', { id: order }, { code: 'ORDER_NOT_FOUND' })
  }),
]
