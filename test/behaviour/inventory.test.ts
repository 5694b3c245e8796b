import { expect, it } from 'vitest'
import type { FixtureOrder } from '../../src/index.js'
import { describeAdapters } from '../support/adapters.js'
import { expectRejected, expectResponse, expectStock, openClient, shop } from '../support/client.js'

const FULL = { petId: 1, quantity: 3, status: 'available' }
const EMPTY = { petId: 2, quantity: 0, status: 'pending' }
const SOLD = { petId: 3, quantity: 0, status: 'sold' }
const SHOP = {
  fixtures: shop([
    { id: 1, stock: 3 },
    { id: 2, status: 'pending', stock: 0 },
    { id: 3, status: 'sold' },
  ]),
}
type Status = 'available' | 'pending' | 'sold'
const OPEN_ORDER: FixtureOrder = { id: 1, petId: 1, quantity: 1, complete: false }

describeAdapters('inventory', (adapter) => {
  it('lists one entry for each pet, sorted by pet id', async () => {
    const api = await openClient(adapter, SHOP)
    const response = await api.get('/store/inventory')
    expectResponse(response, 200, [FULL, EMPTY, SOLD])
    expect(response.headers.get('x-total-count')).toBe('3')
    expect(response.headers.get('link')).toMatch(/rel="first".*rel="last"/)
  })

  it('returns the entry of a pet', async () => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.get('/store/inventory/1'), 200, FULL)
    expectResponse(await api.get('/store/inventory/3'), 200, SOLD)
  })

  it('gives a pet of a fixture without an entry a stock of 1, or 0 if it is sold', async () => {
    const { inventory: _, ...fixtures } = SHOP.fixtures
    const api = await openClient(adapter, { fixtures })
    expectResponse(await api.get('/store/inventory'), 200, [
      { ...FULL, quantity: 1 },
      { ...EMPTY, quantity: 1 },
      { ...SOLD, quantity: 0 },
    ])
  })

  it.each<[from: Status, to: Status, stock: number, quantity: number, orders: FixtureOrder[]]>([
    ['available', 'available', 2, 5, []],
    ['available', 'available', 2, 5, [OPEN_ORDER]],
    ['available', 'available', 2, 2, []],
    ['available', 'pending', 2, 0, [OPEN_ORDER]],
    ['available', 'sold', 2, 0, []],
    ['pending', 'available', 0, 1, [OPEN_ORDER]],
    ['pending', 'available', 0, 1, []],
    ['pending', 'available', 2, 2, []],
    ['pending', 'pending', 2, 0, [OPEN_ORDER]],
    ['pending', 'pending', 2, 0, []],
    ['pending', 'pending', 0, 0, []],
    ['sold', 'available', 0, 4, []],
    ['sold', 'sold', 0, 0, []],
  ])(
    'changes the status from %s to %s when the stock changes from %i to %i',
    async (from, to, stock, quantity, orders) => {
      const pets = [
        { id: 1, status: from, stock },
        { id: 2, stock: 7 },
      ]
      const api = await openClient(adapter, { fixtures: shop(pets, orders) })
      expectResponse(await api.put('/store/inventory/1', { quantity }), 200, { petId: 1, quantity, status: to })
      await expectStock(api, 1, quantity, to)
      await expectStock(api, 2, 7, 'available')
    },
  )

  it('considers only open orders when the stock becomes 0', async () => {
    const complete = { id: 1, petId: 1, quantity: 1, complete: true }
    const api = await openClient(adapter, { fixtures: shop([{ id: 1 }], [complete]) })
    await api.put('/store/inventory/1', { quantity: 0 })
    await expectStock(api, 1, 0, 'sold')
  })

  it('keeps the open orders of a pet whose stock is set', async () => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1, stock: 2 }], [OPEN_ORDER]) })
    await api.put('/store/inventory/1', { quantity: 0 })
    expectResponse(await api.get('/store/orders'), 200, [OPEN_ORDER])
    expectResponse(await api.delete('/store/orders/1'), 204)
    await expectStock(api, 1, 1, 'available')
  })

  it('takes the pet from the path and the status from the stock, whatever the body says', async () => {
    const api = await openClient(adapter, SHOP)
    const body = { petId: 2, quantity: 4, status: 'sold', note: 'x' }
    expectResponse(await api.put('/store/inventory/1', body), 200, { ...FULL, quantity: 4 })
    expectResponse(await api.get('/store/inventory'), 200, [{ ...FULL, quantity: 4 }, EMPTY, SOLD])
  })

  it.each([-1, -9007199254740991])('rejects a stock of %i', async (quantity) => {
    const api = await openClient(adapter, SHOP)
    const put = () => api.put('/store/inventory/1', { quantity })
    await expectRejected(api, put, 422, 'INVALID_QUANTITY', /\/quantity.*0 or more/)
  })
})
