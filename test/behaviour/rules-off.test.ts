import { expect, it } from 'vitest'
import type { Fixture, FixtureOrder } from '../../src/index.js'
import { type Adapter, describeAdapters } from '../support/adapters.js'
import {
  type Client,
  expectError,
  expectRejected,
  expectResponse,
  expectStock,
  openClient,
  type ShopPet,
  shop,
} from '../support/client.js'

const STATUSES = ['available', 'pending', 'sold'] as const
const OPEN: FixtureOrder = { id: 1, petId: 1, quantity: 2, complete: false }
const DONE: FixtureOrder = { id: 1, petId: 1, quantity: 2, complete: true, shipDate: '2026-01-01T00:00:00.000Z' }

function openShop(adapter: Adapter, pets: ShopPet[] = [], orders: FixtureOrder[] = []): Promise<Client> {
  return openClient(adapter, { rules: 'off', fixtures: shop(pets, orders) })
}

describeAdapters('with the rules off', (adapter) => {
  it('placing, changing, completing or cancelling an order changes no stock', async () => {
    const api = await openShop(adapter, [{ id: 1, stock: 2 }, { id: 2 }])
    expectResponse(await api.post('/store/orders', { petId: 1, quantity: 2 }), 201, OPEN)
    await expectStock(api, 1, 2, 'available')
    expectResponse(await api.patch('/store/orders/1', { petId: 2, quantity: 9 }), 200, {
      ...OPEN,
      petId: 2,
      quantity: 9,
    })
    await expectStock(api, 1, 2, 'available')
    await expectStock(api, 2, 1, 'available')
    expect((await api.patch('/store/orders/1', { complete: true })).status).toBe(200)
    await expectStock(api, 2, 1, 'available')
    expectResponse(await api.delete('/store/orders/1'), 204)
    await expectStock(api, 2, 1, 'available')
  })

  it.each(STATUSES)('an order for more units than a pet has is stored, even if the pet is %s', async (status) => {
    const api = await openShop(adapter, [{ id: 1, status }])
    expectResponse(await api.post('/store/orders', { petId: 1, quantity: 99 }), 201, { ...OPEN, quantity: 99 })
    await expectStock(api, 1, Number(status !== 'sold'), status)
  })

  it('the status does not depend on the stock', async () => {
    for (const [index, status] of STATUSES.entries()) {
      const api = await openShop(adapter, [{ id: 1, status }])
      for (const quantity of [index, 0, 5]) {
        expectResponse(await api.put('/store/inventory/1', { quantity }), 200, { petId: 1, quantity, status })
        await expectStock(api, 1, quantity, status)
      }
    }
  })

  it('the status does not depend on orders', async () => {
    const api = await openShop(adapter, [{ id: 1, status: 'pending', stock: 0 }, { id: 2 }], [OPEN])
    await api.patch('/store/orders/1', { complete: true })
    await expectStock(api, 1, 0, 'pending')
    await api.post('/store/orders', { petId: 2, complete: true })
    await expectStock(api, 2, 1, 'available')
  })

  it('completing an order sets no ship date', async () => {
    const api = await openShop(adapter, [{ id: 1 }], [OPEN])
    expectResponse(await api.patch('/store/orders/1', { complete: true }), 200, { ...OPEN, complete: true })
    expectResponse(await api.post('/store/orders', { complete: true }), 201, { id: 2, quantity: 1, complete: true })
    await expectStock(api, 1, 1, 'available')
  })

  it('a given ship date is stored in UTC with milliseconds', async () => {
    const api = await openShop(adapter, [], [DONE])
    const patched = await api.patch('/store/orders/1', { shipDate: '2024-01-01t01:00:00+01:00' })
    expectResponse(patched, 200, { ...DONE, shipDate: '2024-01-01T00:00:00.000Z' })
  })

  it.each(STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const)))(
    'the status can change from %s to %s, whatever the stock and orders',
    async (from, to) => {
      const api = await openShop(adapter, [{ id: 1, status: from, stock: 4 }], [OPEN])
      const pet = { id: 1, name: 'Rex', categoryId: 1, status: to }
      expectResponse(await api.put('/pets/1', pet), 200, pet)
      await expectStock(api, 1, 4, to)
    },
  )

  it('a replacement without a status still keeps it', async () => {
    const api = await openShop(adapter, [{ id: 1, status: 'sold' }])
    const pet = { name: 'Rex', categoryId: 1 }
    expectResponse(await api.put('/pets/1', pet), 200, { id: 1, ...pet, status: 'sold' })
  })

  it.each([0, -1, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])(
    'the quantity %i is accepted',
    async (quantity) => {
      const api = await openShop(adapter, [{ id: 1 }], [OPEN])
      const entry = { petId: 1, quantity, status: 'available' }
      expectResponse(await api.put('/store/inventory/1', { quantity }), 200, entry)
      expectResponse(await api.post('/store/orders', { petId: 1, quantity }), 201, { ...OPEN, id: 2, quantity })
      expectResponse(await api.patch('/store/orders/1', { quantity }), 200, { ...OPEN, quantity })
      expectResponse(await api.delete('/store/orders/1'), 204)
      expectResponse(await api.get('/store/inventory'), 200, [entry])
    },
  )

  it('references are not checked', async () => {
    const api = await openShop(adapter, [{ id: 1 }], [OPEN])
    const pet = { name: 'Stray', categoryId: 9223372036854775807n, status: 'available' }
    expectResponse(await api.post('/pets', pet), 201, { id: 2, ...pet })
    expectResponse(await api.put('/pets/1', pet), 200, { id: 1, ...pet })
    expectResponse(await api.post('/store/orders', { petId: -5 }), 201, { ...OPEN, id: 2, petId: -5, quantity: 1 })
    expectResponse(await api.patch('/store/orders/1', { petId: 99 }), 200, { ...OPEN, petId: 99 })
    expectResponse(await api.patch('/store/orders/1', { complete: true }), 200, { ...OPEN, petId: 99, complete: true })
    expectResponse(await api.delete('/store/orders/1'), 204)
  })

  it('references in a fixture are not checked', async () => {
    const fixtures: Fixture = {
      categories: [],
      pets: [{ id: 1, name: 'Stray', categoryId: 99, status: 'sold' }],
      inventory: [{ petId: 1, quantity: -3, status: 'sold' }],
      orders: [{ id: 1, petId: 98, quantity: 0, complete: false }],
    }
    const api = await openClient(adapter, { rules: 'off', fixtures })
    expectResponse(await api.get('/pets'), 200, fixtures.pets)
    expectResponse(await api.get('/store/inventory'), 200, fixtures.inventory)
    expectResponse(await api.get('/store/orders'), 200, fixtures.orders)
  })

  it('categories and pets in use can be deleted', async () => {
    const api = await openShop(adapter, [{ id: 1 }], [OPEN])
    expectResponse(await api.delete('/categories/1'), 204)
    expectResponse(await api.delete('/pets/1'), 204)
    expectResponse(await api.get('/store/orders'), 200, [OPEN])
    expectResponse(await api.delete('/store/orders/1'), 204)
  })

  it('a complete order can be changed, reopened and deleted', async () => {
    const api = await openShop(adapter, [{ id: 1 }], [DONE])
    expectResponse(await api.patch('/store/orders/1', { quantity: 7 }), 200, { ...DONE, quantity: 7 })
    expectResponse(await api.patch('/store/orders/1', { complete: false }), 200, {
      ...DONE,
      quantity: 7,
      complete: false,
    })
    expectResponse(await api.patch('/store/orders/1', { complete: true }), 200, { ...DONE, quantity: 7 })
    expectResponse(await api.delete('/store/orders/1'), 204)
  })

  it('new ids are still unique and never reused', async () => {
    const api = await openShop(adapter, [{ id: 1 }], [OPEN])
    const pet = { id: 1, name: 'Bo', categoryId: 1 }
    expectResponse(await api.post('/pets', pet), 201, { ...pet, id: 2, status: 'available' })
    expectResponse(await api.delete('/pets/2'), 204)
    expectResponse(await api.post('/pets', pet), 201, { ...pet, id: 3, status: 'available' })
    expectResponse(await api.post('/store/orders', { id: 1 }), 201, { id: 2, quantity: 1, complete: false })
    expectResponse(await api.post('/categories', { id: 1, name: 'Fish' }), 201, { id: 3, name: 'Fish' })
  })

  it('an inventory entry is still created and deleted with its pet', async () => {
    const api = await openShop(adapter)
    for (const status of STATUSES) await api.post('/pets', { name: 'Bo', categoryId: 1, status })
    expectResponse(await api.get('/store/inventory'), 200, [
      { petId: 1, quantity: 1, status: 'available' },
      { petId: 2, quantity: 1, status: 'pending' },
      { petId: 3, quantity: 0, status: 'sold' },
    ])
    expectResponse(await api.delete('/pets/1'), 204)
    expectError(await api.get('/store/inventory/1'), 404, 'PET_NOT_FOUND')
    await expectRejected(api, () => api.put('/store/inventory/1', { quantity: 1 }), 404, 'PET_NOT_FOUND')
    expect((await api.get('/store/inventory')).headers.get('x-total-count')).toBe('2')
  })

  it('unknown ids still return 404', async () => {
    const api = await openShop(adapter, [{ id: 1 }], [OPEN])
    await expectRejected(api, () => api.put('/pets/9', { name: 'Bo', categoryId: 9 }), 404, 'PET_NOT_FOUND')
    await expectRejected(api, () => api.delete('/pets/9'), 404, 'PET_NOT_FOUND')
    await expectRejected(api, () => api.delete('/categories/9'), 404, 'CATEGORY_NOT_FOUND')
    await expectRejected(api, () => api.patch('/store/orders/9', { quantity: -1 }), 404, 'ORDER_NOT_FOUND')
  })

  it('bodies that violate the schema are still rejected', async () => {
    const api = await openShop(adapter, [{ id: 1 }], [OPEN])
    await expectRejected(api, () => api.post('/pets', { name: 'Bo' }), 400, 'INVALID_REQUEST', /categoryId/)
    await expectRejected(
      api,
      () => api.put('/pets/1', { name: 'Bo', categoryId: 1, status: 'lost' }),
      400,
      'INVALID_REQUEST',
    )
    await expectRejected(api, () => api.put('/store/inventory/1', { quantity: 1.5 }), 400, 'INVALID_REQUEST')
    await expectRejected(api, () => api.patch('/store/orders/1', { petId: null }), 400, 'INVALID_REQUEST')
    await expectRejected(api, () => api.put('/store/inventory/1', '{"quantity":-1e400}'), 400, 'INVALID_REQUEST')
  })
})
