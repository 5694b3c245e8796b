import { expect, it } from 'vitest'
import type { FixtureOrder } from '../../src/index.js'
import { describeAdapters } from '../support/adapters.js'
import { expectRejected, expectResponse, expectStock, openClient, shop, stabilityOf } from '../support/client.js'

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
  it('lists one entry for each pet, by pet', async () => {
    const api = await openClient(adapter, SHOP)
    const response = await api.get('/store/inventory')
    expectResponse(response, 200, [FULL, EMPTY, SOLD])
    expect(response.headers.get('x-total-count')).toBe('3')
    expect(response.headers.get('link')).toMatch(/rel="first".*rel="last"/)
  })

  it.each([
    ['status=sold', [SOLD]],
    ['status=sold&status=available', [FULL, SOLD]],
    ['maxQuantity=0', [EMPTY, SOLD]],
    ['maxQuantity=2&status=sold', [SOLD]],
    ['sort=quantity', [EMPTY, SOLD, FULL]],
    ['sort=-quantity', [FULL, EMPTY, SOLD]],
    ['sort=-petId', [SOLD, EMPTY, FULL]],
  ])('lists the entries that ?%s asks for', async (query, expected) => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.get(`/store/inventory?${query}`), 200, expected)
  })

  it('shows the entry of a pet', async () => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.get('/store/inventory/1'), 200, FULL)
    expectResponse(await api.get('/store/inventory/3'), 200, SOLD)
  })

  it('starts a pet of a fixture without an entry with a stock of 1, a sold one with 0', async () => {
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
  ])('makes a pet that was %s %s when its stock goes from %i to %i', async (from, to, stock, quantity, orders) => {
    const pets = [
      { id: 1, status: from, stock },
      { id: 2, stock: 7 },
    ]
    const api = await openClient(adapter, { fixtures: shop(pets, orders) })
    expectResponse(await api.put('/store/inventory/1', { quantity }), 200, { petId: 1, quantity, status: to })
    await expectStock(api, 1, quantity, to)
    await expectStock(api, 2, 7, 'available')
  })

  it('counts only open orders when the stock is emptied', async () => {
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

  it('drops what the schema does not know; the path names the pet, the stock the status', async () => {
    const api = await openClient(adapter, SHOP)
    const body = { petId: 2, quantity: 4, status: 'sold', note: 'x' }
    expectResponse(await api.put('/store/inventory/1', body), 200, { ...FULL, quantity: 4 })
    expectResponse(await api.get('/store/inventory'), 200, [{ ...FULL, quantity: 4 }, EMPTY, SOLD])
  })

  it.each([
    ['2.0', 2],
    ['1e2', 100],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('takes the quantity %s as the integer it is', async (spelling, quantity) => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.put('/store/inventory/1', `{"quantity":${spelling}}`), 200, { ...FULL, quantity })
    expect((await api.get('/store/inventory/1')).text).toContain(`"quantity":${quantity},`)
  })

  it('takes the quantity -0 as 0', async () => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.put('/store/inventory/1', '{"quantity":-0}'), 200, { ...SOLD, petId: 1 })
  })

  it.each([-1, -9007199254740991])('refuses a stock of %i', async (quantity) => {
    const api = await openClient(adapter, SHOP)
    const put = () => api.put('/store/inventory/1', { quantity })
    await expectRejected(api, put, 422, 'INVALID_QUANTITY', /\/quantity.*0 or more/)
  })

  it.each(['1.5', '"1"', 'true', 'null', '[]', '1e400', '9007199254740993', '1.0000000000000001'])(
    'refuses the quantity %s as outside the schema',
    async (quantity) => {
      const api = await openClient(adapter, SHOP)
      const put = () => api.put('/store/inventory/1', `{"quantity":${quantity}}`)
      await expectRejected(api, put, 400, 'INVALID_REQUEST', /\/quantity.*integer/)
    },
  )

  it('refuses a body without a quantity', async () => {
    const api = await openClient(adapter, SHOP)
    await expectRejected(api, () => api.put('/store/inventory/1', {}), 400, 'INVALID_REQUEST', /\/quantity.*missing/)
    await expectRejected(api, () => api.put('/store/inventory/1', '[3]'), 400, 'INVALID_REQUEST', /object/)
    await expectRejected(api, () => api.put('/store/inventory/1', ''), 400, 'MALFORMED_BODY')
  })

  it.each(['0', '-1', '999999', '9223372036854775807'])('answers 404 for the unknown pet %s', async (id) => {
    const api = await openClient(adapter, SHOP)
    await expectRejected(api, () => api.get(`/store/inventory/${id}`), 404, 'PET_NOT_FOUND', id)
    await expectRejected(api, () => api.put(`/store/inventory/${id}`, { quantity: 1 }), 404, 'PET_NOT_FOUND', id)
  })

  it('answers what comes first: the body, then existence, then the quantity', async () => {
    const api = await openClient(adapter, SHOP)
    await expectRejected(api, () => api.put('/store/inventory/99', {}), 400, 'INVALID_REQUEST')
    await expectRejected(api, () => api.put('/store/inventory/99', { quantity: -1 }), 404, 'PET_NOT_FOUND')
  })

  it('names the stability of each operation, its errors included', async () => {
    const api = await openClient(adapter, SHOP)
    expect(stabilityOf(await api.get('/store/inventory'))).toBe('beta')
    expect(stabilityOf(await api.get('/store/inventory/1'))).toBe('beta')
    expect(stabilityOf(await api.get('/store/inventory/99'))).toBe('beta')
    expect(stabilityOf(await api.put('/store/inventory/1', { quantity: 1 }))).toBe('beta')
    expect(stabilityOf(await api.put('/store/inventory/1', { quantity: -1 }))).toBe('beta')
  })
})
