import { it } from 'vitest'
import type { FixtureOrder } from '../../src/index.js'
import { type Adapter, describeAdapters } from '../support/adapters.js'
import {
  type Client,
  expectRejected,
  expectResponse,
  expectStock,
  expectUnchanged,
  openClient,
  type ShopPet,
  shop,
} from '../support/client.js'

const NOW = '2027-03-04T05:06:07.890Z'
const EARLIER = '2026-01-01T00:00:00.000Z'

/** A mock whose clock is frozen at NOW. */
async function openShop(adapter: Adapter, pets: ShopPet[], orders: FixtureOrder[] = []): Promise<Client> {
  const api = await openClient(adapter, { fixtures: shop(pets, orders) })
  api.mock.petstore.clock.freeze()
  api.mock.petstore.clock.set(NOW)
  return api
}

function openOrder(id: number, petId: number, quantity = 1): FixtureOrder {
  return { id, petId, quantity, complete: false }
}

describeAdapters('placing an order', (adapter) => {
  it('takes its units from the stock', async () => {
    const api = await openShop(adapter, [{ id: 1, stock: 5 }, { id: 2 }])
    expectResponse(await api.post('/store/orders', { petId: 1, quantity: 2 }), 201, openOrder(1, 1, 2))
    await expectStock(api, 1, 3, 'available')
    await expectStock(api, 2, 1, 'available')
  })

  it('makes the pet pending with the last unit', async () => {
    const api = await openShop(adapter, [{ id: 1, stock: 2 }])
    await api.post('/store/orders', { petId: 1, quantity: 2 })
    await expectStock(api, 1, 0, 'pending')
  })

  it('G3 needs enough stock', async () => {
    const api = await openShop(adapter, [{ id: 1, stock: 2 }])
    for (const quantity of [3, Number.MAX_SAFE_INTEGER]) {
      const order = () => api.post('/store/orders', { petId: 1, quantity })
      await expectRejected(api, order, 409, 'INSUFFICIENT_STOCK', new RegExp(`quantity.*${quantity}`))
    }
  })

  it.each([
    ['pending without stock', { status: 'pending', stock: 0 }],
    ['pending with stock', { status: 'pending', stock: 5 }],
    ['sold', { status: 'sold' }],
  ] as const)('G2 needs an available pet: rejects one that is %s', async (_, pet) => {
    const api = await openShop(adapter, [{ id: 1, ...pet }])
    const order = () => api.post('/store/orders', { petId: 1 })
    await expectRejected(api, order, 409, 'PET_NOT_AVAILABLE', new RegExp(`Pet 1\\b.*${pet.status}`))
    const complete = () => api.post('/store/orders', { petId: 1, complete: true })
    await expectRejected(api, complete, 409, 'PET_NOT_AVAILABLE')
  })

  it('can complete it in the same step', async () => {
    const api = await openShop(adapter, [{ id: 1, stock: 3 }])
    const done = { petId: 1, complete: true, shipDate: NOW }
    expectResponse(await api.post('/store/orders', { petId: 1, complete: true }), 201, { id: 1, quantity: 1, ...done })
    await expectStock(api, 1, 2, 'available')
    expectResponse(await api.post('/store/orders', { petId: 1, quantity: 2, complete: true }), 201, {
      id: 2,
      quantity: 2,
      ...done,
    })
    await expectStock(api, 1, 0, 'sold')
  })

  it('keeps a pet pending when a complete order takes its last unit and another order is open', async () => {
    const api = await openShop(adapter, [{ id: 1 }], [openOrder(7, 1)])
    await api.post('/store/orders', { petId: 1, complete: true })
    await expectStock(api, 1, 0, 'pending')
  })
})

describeAdapters('completing an order', (adapter) => {
  it("sets the ship date from the mock's clock, once", async () => {
    const api = await openShop(adapter, [{ id: 1, stock: 3 }], [openOrder(1, 1), openOrder(2, 1), { id: 3 }])
    const done = { complete: true, shipDate: NOW }
    expectResponse(await api.patch('/store/orders/1', { complete: true }), 200, { ...openOrder(1, 1), ...done })
    api.mock.petstore.clock.advance(1000)
    const later = { complete: true, shipDate: '2027-03-04T05:06:08.890Z' }
    expectResponse(await api.patch('/store/orders/2', { complete: true }), 200, { ...openOrder(2, 1), ...later })
    expectResponse(await api.patch('/store/orders/3', { complete: true }), 200, { id: 3, ...later })
    expectResponse(await api.patch('/store/orders/1', { complete: true }), 200, { ...openOrder(1, 1), ...done })
    expectResponse(await api.get('/store/orders/1'), 200, { ...openOrder(1, 1), ...done })
  })

  it('keeps a ship date that is set before or in the same request', async () => {
    const api = await openShop(adapter, [{ id: 1 }], [{ ...openOrder(1, 1), shipDate: EARLIER }, openOrder(2, 1)])
    const done = { complete: true, shipDate: EARLIER }
    expectResponse(await api.patch('/store/orders/1', { complete: true }), 200, { ...openOrder(1, 1), ...done })
    expectResponse(await api.patch('/store/orders/2', done), 200, { ...openOrder(2, 1), ...done })
    expectResponse(await api.post('/store/orders', done), 201, { id: 3, quantity: 1, ...done })
  })

  it('marks the pet as sold if it has no stock and no other open order', async () => {
    const pet = { id: 1, status: 'pending', stock: 0 } as const
    const api = await openShop(adapter, [pet], [openOrder(1, 1), openOrder(2, 1)])
    await api.patch('/store/orders/1', { complete: true })
    await expectStock(api, 1, 0, 'pending')
    await api.patch('/store/orders/2', { complete: true })
    await expectStock(api, 1, 0, 'sold')
  })

  it.each(['available', 'pending'] as const)('keeps a pet %s if it still has stock', async (status) => {
    const api = await openShop(adapter, [{ id: 1, status, stock: 4 }], [openOrder(1, 1)])
    await api.patch('/store/orders/1', { complete: true })
    await expectStock(api, 1, 4, status)
  })

  it('ignores open orders for other pets when it marks the pet as sold', async () => {
    const pet = { id: 1, status: 'pending', stock: 0 } as const
    const api = await openShop(adapter, [pet, { id: 2 }], [openOrder(1, 1), openOrder(2, 2)])
    await api.patch('/store/orders/1', { complete: true })
    await expectStock(api, 1, 0, 'sold')
  })
})

describeAdapters('a complete order', (adapter) => {
  const DONE = { id: 1, petId: 1, quantity: 1, shipDate: EARLIER, complete: true }
  const PETS: ShopPet[] = [
    { id: 1, stock: 3 },
    { id: 2, stock: 3 },
  ]

  it.each([
    { complete: false },
    { quantity: 2 },
    { petId: 2 },
    { shipDate: NOW },
    { ...DONE, complete: false },
    { complete: true, quantity: 2 },
  ])('G9 cannot be changed to %o', async (body) => {
    const api = await openShop(adapter, PETS, [DONE])
    await expectRejected(api, () => api.patch('/store/orders/1', body), 409, 'ORDER_COMPLETE', /Order 1\b.*complete/)
  })

  it('G9 cannot be deleted', async () => {
    const api = await openShop(adapter, PETS, [DONE])
    await expectRejected(api, () => api.delete('/store/orders/1'), 409, 'ORDER_COMPLETE', /Order 1\b.*complete/)
  })

  it.each([
    {},
    { complete: true },
    DONE,
    { ...DONE, id: 5, note: 'x' },
    { shipDate: '2025-12-31t22:30:00.0000-01:30' },
  ])('accepts a patch that changes nothing, even after its pet was deleted: %o', async (body) => {
    const api = await openShop(adapter, PETS, [DONE])
    expectResponse(await expectUnchanged(api.mock, () => api.patch('/store/orders/1', body)), 200, DONE)
    expectResponse(await api.delete('/pets/1'), 204)
    expectResponse(await expectUnchanged(api.mock, () => api.patch('/store/orders/1', body)), 200, DONE)
    await expectRejected(api, () => api.patch('/store/orders/1', { complete: false }), 409, 'ORDER_COMPLETE')
  })
})

describeAdapters('cancelling an order', (adapter) => {
  it('returns its units to the stock', async () => {
    const api = await openShop(adapter, [{ id: 1, stock: 3 }], [openOrder(1, 1, 4)])
    expectResponse(await api.delete('/store/orders/1'), 204)
    await expectStock(api, 1, 7, 'available')
  })

  it.each([0, 2])('makes a pending pet with a stock of %i available again', async (stock) => {
    const pets = [{ id: 1, status: 'pending', stock } as const]
    const api = await openShop(adapter, pets, [openOrder(1, 1, 2), openOrder(2, 1)])
    await api.delete('/store/orders/1')
    await expectStock(api, 1, stock + 2, 'available')
  })

  it('changes no stock if the order has no pet', async () => {
    const api = await openShop(adapter, [{ id: 1, stock: 3 }], [{ id: 1, quantity: 4, complete: false }])
    expectResponse(await api.delete('/store/orders/1'), 204)
    await expectStock(api, 1, 3, 'available')
  })

  it('reverses placing it', async () => {
    const api = await openShop(adapter, [{ id: 1, stock: 3 }])
    await api.post('/store/orders', { petId: 1, quantity: 3 })
    await expectStock(api, 1, 0, 'pending')
    await api.delete('/store/orders/1')
    await expectStock(api, 1, 3, 'available')
  })
})
