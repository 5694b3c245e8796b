import { expect, it } from 'vitest'
import type { FixtureOrder } from '../../src/index.js'
import { describeAdapters } from '../support/adapters.js'
import { expectRejected, expectResponse, expectStock, openClient, shop } from '../support/client.js'

const OPEN_ORDER: FixtureOrder = { id: 1, petId: 1, quantity: 1, complete: false }
const COMPLETE_ORDER: FixtureOrder = { id: 2, petId: 1, quantity: 1, complete: true }

type Status = 'available' | 'pending' | 'sold'
type Orders = 'an open order' | 'no open order'

function shopBefore(from: Status, stock: number, orders: Orders) {
  const order = orders === 'an open order' ? OPEN_ORDER : COMPLETE_ORDER
  return { fixtures: shop([{ id: 1, status: from, stock }], [order]) }
}

describeAdapters('the status of a pet', (adapter) => {
  it.each<[from: Status, to: Status, stock: number, orders: Orders, stockAfter: number]>([
    ['available', 'available', 2, 'no open order', 2],
    ['available', 'pending', 2, 'no open order', 2],
    ['available', 'pending', 2, 'an open order', 2],
    ['pending', 'available', 2, 'no open order', 2],
    ['pending', 'available', 2, 'an open order', 2],
    ['pending', 'pending', 2, 'an open order', 2],
    ['pending', 'pending', 0, 'no open order', 0],
    ['pending', 'sold', 2, 'no open order', 0],
    ['pending', 'sold', 0, 'no open order', 0],
    ['sold', 'sold', 0, 'no open order', 0],
  ])('changes from %s to %s with a stock of %i and %s', async (from, to, stock, orders, stockAfter) => {
    const api = await openClient(adapter, shopBefore(from, stock, orders))
    const pet = { name: 'Changed', categoryId: 2, status: to }
    expectResponse(await api.put('/pets/1', pet), 200, { id: 1, ...pet })
    await expectStock(api, 1, stockAfter, to)
  })

  it.each<[from: Status, to: Status, stock: number, orders: Orders, way: RegExp]>([
    ['available', 'sold', 2, 'no open order', /pending|order/],
    ['available', 'sold', 2, 'an open order', /pending|order/],
    ['pending', 'available', 0, 'no open order', /restock|inventory/],
    ['pending', 'available', 0, 'an open order', /restock|inventory/],
    ['pending', 'sold', 0, 'an open order', /open order/],
    ['pending', 'sold', 2, 'an open order', /open order/],
    ['sold', 'available', 0, 'no open order', /[Rr]estock/],
    ['sold', 'pending', 0, 'no open order', /[Rr]estock/],
  ])(
    'does not change from %s to %s with a stock of %i and %s; the error says what to do',
    async (from, to, stock, orders, way) => {
      const api = await openClient(adapter, shopBefore(from, stock, orders))
      const put = () => api.put('/pets/1', { name: 'Changed', categoryId: 2, status: to })
      await expectRejected(api, put, 409, 'INVALID_TRANSITION', way)
      await expectRejected(api, put, 409, 'INVALID_TRANSITION', /status/)
    },
  )

  it.each<[status: Status, stock: number]>([
    ['available', 2],
    ['pending', 2],
    ['sold', 0],
  ])('stays %s if a replacement does not have it', async (status, stock) => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1, status, stock }]) })
    const pet = { name: 'Same', categoryId: 1 }
    expectResponse(await api.put('/pets/1', pet), 200, { id: 1, ...pet, status })
    await expectStock(api, 1, stock, status)
  })

  it('does not affect other pets', async () => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1, stock: 2 }, { id: 2 }]) })
    await api.put('/pets/1', { name: 'Changed', categoryId: 1, status: 'pending' })
    await expectStock(api, 2, 1, 'available')
  })

  it('can go through every transition', async () => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1, stock: 2 }]) })
    const statuses = ['pending', 'available', 'pending', 'sold']
    for (const status of statuses) {
      expect((await api.put('/pets/1', { name: 'Rex', categoryId: 1, status })).status).toBe(200)
    }
    await expectStock(api, 1, 0, 'sold')
    await api.put('/store/inventory/1', { quantity: 5 })
    await expectStock(api, 1, 5, 'available')
  })
})
