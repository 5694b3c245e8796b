import type { Check } from '../../tools/verify/check.js'
import { ANY } from '../../tools/verify/compare-response.js'
import { isRejected, type PetstoreContext, reads, writes } from './check.js'

/** Orders are stored, changed, completed and deleted as the contract says, and move units of the stock. */
export const orderChecks: readonly Check[] = [
  reads('getOrder', 'returns the order', async ({ call, any }) => {
    const id = await any('orders')
    await call('getOrder', { id }, { fields: { id } })
  }),

  writes('createOrder', 'needs no pet, and fills in quantity and complete', async ({ call, newDate, newNumber }) => {
    // Never without any field: an order must be recognisable as ours to be deleted.
    for (const body of [{ shipDate: newDate() }, { quantity: newNumber() }]) {
      const fields = { petId: undefined, quantity: 1, shipDate: undefined, complete: false, ...body }
      const { id } = await call('createOrder', { body }, { fields })
      if (id !== undefined) await call('getOrder', { id }, { fields: { id, ...fields } })
    }
  }),

  writes('createOrder', 'accepts any RFC 3339 date-time, and returns it in UTC', async ({ call, newNumber }) => {
    for (const [shipDate, inUtc] of [
      ['2026-02-04T11:00:00+01:00', '2026-02-04T10:00:00.000Z'],
      ['2026-02-04t11:00:00.25z', '2026-02-04T11:00:00.250Z'],
      ['2024-02-29T23:30:00-00:00', '2024-02-29T23:30:00.000Z'],
    ]) {
      await call('createOrder', { body: { quantity: newNumber(), shipDate } }, { fields: { shipDate: inUtc } })
    }
  }),

  writes('createOrder', 'takes units from the stock; the last one makes the pet pending', async (context) => {
    const { id } = await context.createPet({ stock: 3 })
    await context.createOrder({ petId: id, quantity: 2 })
    await context.call('getInventory', { id }, { fields: { quantity: 1, status: 'available' } })
    await context.createOrder({ petId: id })
    await context.call('getInventory', { id }, { fields: { quantity: 0, status: 'pending' } })
    await context.call('getPet', { id }, { fields: { status: 'pending' } })
  }),

  writes(
    'createOrder',
    'returns 409 INSUFFICIENT_STOCK for more than the stock',
    async ({ call, createPet, newDate }) => {
      const { id } = await createPet({ stock: 2 })
      const body = { petId: id, quantity: 3, shipDate: newDate() }
      const response = await call('createOrder', { body }, { code: 'INSUFFICIENT_STOCK' })
      if (isRejected(response)) await call('getInventory', { id }, { fields: { quantity: 2, status: 'available' } })
    },
  ),

  writes(
    'createOrder',
    'returns 409 PET_NOT_AVAILABLE for a pending or sold pet',
    async ({ call, createPet, newDate }) => {
      for (const status of ['pending', 'sold'] as const) {
        const { id } = await createPet({ status })
        await call('createOrder', { body: { petId: id, shipDate: newDate() } }, { code: 'PET_NOT_AVAILABLE' })
      }
    },
  ),

  writes('createOrder', 'returns 422 for an unknown pet or a quantity below 1', async (context) => {
    const shipDate = context.newDate()
    const { id: petId } = await context.createPet()
    for (const [body, code] of [
      [{ petId: context.unknownReference, shipDate }, 'UNKNOWN_PET'],
      [{ petId, quantity: 0, shipDate }, 'INVALID_QUANTITY'],
      [{ quantity: -1, shipDate }, 'INVALID_QUANTITY'],
    ] as const) {
      await context.call('createOrder', { body }, { code })
    }
  }),

  writes('createOrder', 'places and completes an order that is sent as complete', async (context) => {
    const { id } = await context.createPet({ stock: 1 })
    await context.createOrder({ petId: id, complete: true })
    await context.call('getInventory', { id }, { fields: { quantity: 0, status: 'sold' } })
  }),

  writes('updateOrder', 'changes the fields in the body, and keeps the others', async (context) => {
    const { call, newDate, newUnknownId, createOrder } = context
    const id = await createOrder({ quantity: 2 })
    const shipDate = newDate()
    const fields = { id, quantity: 2, shipDate, complete: false }
    await call('updateOrder', { id, body: { shipDate: shipDate.replace('.000Z', 'Z') } }, { fields })
    await call('updateOrder', { id, body: {} }, { fields })
    const body = { id: newUnknownId(), quantity: 3, colour: 'red' }
    await call('updateOrder', { id, body }, { fields: { ...fields, quantity: 3 } })
    await call('getOrder', { id }, { fields: { ...fields, quantity: 3, colour: undefined } })
  }),

  writes('updateOrder', 'moves units between the order and the stock', async ({ call, createPet, createOrder }) => {
    const { id } = await createPet({ stock: 3 })
    const { id: petId } = await createPet({ stock: 5 })
    const order = await createOrder({ petId: id, quantity: 2 })
    await call('updateOrder', { id: order, body: { quantity: 3 } }, { fields: { quantity: 3 } })
    await call('getInventory', { id }, { fields: { quantity: 0, status: 'pending' } })
    await call('updateOrder', { id: order, body: { petId } }, { fields: { petId, quantity: 3 } })
    await call('getInventory', { id }, { fields: { quantity: 3, status: 'available' } })
    await call('getInventory', { id: petId }, { fields: { quantity: 2, status: 'available' } })
  }),

  writes('updateOrder', 'returns the errors of createOrder, and changes nothing', async (context) => {
    const { call, createPet, createOrder, unknownReference } = context
    const { id } = await createPet({ stock: 3 })
    const sold = await createPet({ status: 'sold' })
    const order = await createOrder({ petId: id, quantity: 2 })
    const areRejected = await expectRejected([
      () => call('updateOrder', { id: order, body: { quantity: 4 } }, { code: 'INSUFFICIENT_STOCK' }),
      () => call('updateOrder', { id: order, body: { petId: sold.id } }, { code: 'PET_NOT_AVAILABLE' }),
      () => call('updateOrder', { id: order, body: { petId: unknownReference } }, { code: 'UNKNOWN_PET' }),
      () => call('updateOrder', { id: order, body: { quantity: 0 } }, { code: 'INVALID_QUANTITY' }),
    ])
    if (!areRejected) return
    await call('getOrder', { id: order }, { fields: { petId: id, quantity: 2, complete: false } })
    await call('getInventory', { id }, { fields: { quantity: 1, status: 'available' } })
  }),

  writes('updateOrder', 'completes the order, which is final, and sells its pet', async (context) => {
    const { call, newDate, newNumber, createPet, createOrder } = context
    const quantity = newNumber()
    const pet = await createPet({ stock: quantity })
    const id = await createOrder({ petId: pet.id, quantity, shipDate: undefined })
    const fields = { quantity, shipDate: ANY, complete: true }
    await call('updateOrder', { id, body: { complete: true } }, { fields })
    await call('getOrder', { id }, { fields })
    await call('getPet', { id: pet.id }, { fields: { status: 'sold' } })
    await call('updateOrder', { id, body: { complete: true, quantity } }, { fields })
    const code = 'ORDER_COMPLETE'
    const areRejected = await expectRejected([
      () => call('updateOrder', { id, body: { complete: false } }, { code }),
      () => call('updateOrder', { id, body: { quantity: newNumber() } }, { code }),
      () => call('updateOrder', { id, body: { shipDate: newDate() } }, { code }),
      () => call('deleteOrder', { id }, { code }),
    ])
    if (!areRejected) return
    await call('getOrder', { id }, { fields })
    await call('deletePet', { id: pet.id })
    await call('getOrder', { id }, { fields })
  }),

  writes('deleteOrder', 'returns the units, which makes a pending pet available', async (context) => {
    const { call, createPet, createOrder } = context
    const { id } = await createPet({ stock: 2 })
    const order = await createOrder({ petId: id, quantity: 2 })
    await call('getInventory', { id }, { fields: { quantity: 0, status: 'pending' } })
    await call('deleteOrder', { id: order })
    await call('getInventory', { id }, { fields: { quantity: 2, status: 'available' } })
    await call('getOrder', { id: order }, { code: 'ORDER_NOT_FOUND' })
    await call('deleteOrder', { id: order }, { code: 'ORDER_NOT_FOUND' })
  }),
]

/** Makes all calls. Returns whether every one of them was rejected. */
async function expectRejected(calls: readonly (() => ReturnType<PetstoreContext['call']>)[]): Promise<boolean> {
  let areRejected = true
  for (const call of calls) areRejected = isRejected(await call()) && areRejected
  return areRejected
}
