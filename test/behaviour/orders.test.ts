import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { forEachCase } from '../support/cases.js'
import { expectRejected, expectResponse, expectStock, expectUnchanged, openClient, shop } from '../support/client.js'

const OPEN = { id: 1, petId: 1, quantity: 2, complete: false }
const DATED = { id: 2, petId: 2, quantity: 1, shipDate: '2026-05-01T00:00:00.000Z', complete: false }
const DONE = { id: 3, petId: 1, quantity: 1, shipDate: '2026-02-03T04:05:06.789Z', complete: true }
const LOOSE = { id: 4, quantity: 5, complete: false }
const SHOP = {
  fixtures: shop(
    [
      { id: 1, stock: 3 },
      { id: 2, status: 'pending', stock: 0 },
      { id: 3, status: 'sold' },
    ],
    [OPEN, DATED, DONE, LOOSE],
  ),
}

describeAdapters('orders', (adapter) => {
  it('lists orders as a bare array, sorted by id', async () => {
    const api = await openClient(adapter, SHOP)
    const response = await api.get('/store/orders')
    expectResponse(response, 200, [OPEN, DATED, DONE, LOOSE])
    expect(response.headers.get('x-total-count')).toBe('4')
    expect(response.headers.get('link')).toMatch(/rel="first".*rel="last"/)
  })

  it('creates an order with the next id and returns its location', async () => {
    const api = await openClient(adapter, SHOP)
    const order = { petId: 1, quantity: 2, shipDate: '2026-07-01T08:00:00.000Z', complete: false }
    const response = await api.post('/store/orders', order)
    expectResponse(response, 201, { id: 5, ...order })
    expect(response.headers.get('location')).toBe('/store/orders/5')
    expectResponse(await api.get('/store/orders/5'), 200, response.body)
  })

  it('creates an open order for one unit without a ship date by default', async () => {
    const api = await openClient(adapter, SHOP)
    const response = await api.post('/store/orders', { petId: 1 })
    expectResponse(response, 201, { id: 5, petId: 1, quantity: 1, complete: false })
    await expectStock(api, 1, 2, 'available')
  })

  it('creates an order without a pet, which changes no stock', async () => {
    const api = await openClient(adapter, SHOP)
    const { pets, inventory } = { pets: await api.get('/pets'), inventory: await api.get('/store/inventory') }
    expectResponse(await api.post('/store/orders', {}), 201, { id: 5, quantity: 1, complete: false })
    expectResponse(await api.post('/store/orders', { quantity: 999 }), 201, { id: 6, quantity: 999, complete: false })
    expectResponse(await api.get('/pets'), 200, pets.body)
    expectResponse(await api.get('/store/inventory'), 200, inventory.body)
  })

  it('returns an order', async () => {
    const api = await openClient(adapter, SHOP)
    for (const order of [OPEN, DATED, DONE, LOOSE]) {
      expectResponse(await api.get(`/store/orders/${order.id}`), 200, order)
    }
  })

  it('changes the given fields and keeps the others', async () => {
    const api = await openClient(adapter, SHOP)
    const shipDate = '2026-06-01T00:00:00.000Z'
    expectResponse(await api.patch('/store/orders/1', { shipDate }), 200, { ...OPEN, shipDate })
    expectResponse(await api.patch('/store/orders/2', { shipDate }), 200, { ...DATED, shipDate })
    expectResponse(await api.patch('/store/orders/4', { quantity: 6 }), 200, { ...LOOSE, quantity: 6 })
    expectResponse(await api.get('/store/orders'), 200, [
      { ...OPEN, shipDate },
      { ...DATED, shipDate },
      DONE,
      { ...LOOSE, quantity: 6 },
    ])
  })

  it.each([
    ['no fields', {}],
    ['only unknown fields', { note: 'x' }],
    ['another id', { id: 99 }],
    ['all fields as they are', OPEN],
    ['one field as it is', { petId: 1 }],
  ])('changes nothing for a patch with %s', async (_, body) => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await expectUnchanged(api.mock, () => api.patch('/store/orders/1', body)), 200, OPEN)
  })

  it('needs no stock for a patch that changes nothing', async () => {
    const api = await openClient(adapter, SHOP)
    const patch = () => api.patch('/store/orders/2', { petId: 2, quantity: 1 })
    expectResponse(await expectUnchanged(api.mock, patch), 200, DATED)
  })

  it('G6 deletes an open order, and returns 404 the second time', async () => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.delete('/store/orders/1'), 204)
    expectResponse(await api.get('/store/orders'), 200, [DATED, DONE, LOOSE])
    await expectRejected(api, () => api.delete('/store/orders/1'), 404, 'ORDER_NOT_FOUND', /1/)
    expectResponse(await api.delete('/store/orders/4'), 204)
  })

  it('G1 rejects an order for an unknown pet', async () => {
    const api = await openClient(adapter, SHOP)
    await forEachCase(['99', '0', '-0', '-1', '9223372036854775807'], async (petId) => {
      const body = `{"petId":${petId}}`
      await expectRejected(api, () => api.post('/store/orders', body), 422, 'UNKNOWN_PET', /petId/)
      await expectRejected(api, () => api.patch('/store/orders/1', body), 422, 'UNKNOWN_PET', /petId/)
    })
  })

  it('rejects a quantity below 1', async () => {
    const api = await openClient(adapter, SHOP)
    await forEachCase(['0', '-0', '-1', '-9007199254740991'], async (quantity) => {
      for (const body of [`{"quantity":${quantity}}`, `{"petId":1,"quantity":${quantity}}`]) {
        await expectRejected(api, () => api.post('/store/orders', body), 422, 'INVALID_QUANTITY', /quantity.*1 or more/)
        await expectRejected(api, () => api.patch('/store/orders/1', body), 422, 'INVALID_QUANTITY', /quantity/)
      }
    })
  })

  it('checks the body first, then existence, then references and quantities, then the rules', async () => {
    const api = await openClient(adapter, SHOP)
    const patch = (id: number, body: object) => () => api.patch(`/store/orders/${id}`, body)
    await expectRejected(api, patch(99, { petId: 'x' }), 400, 'INVALID_REQUEST')
    await expectRejected(api, patch(99, { petId: 99, quantity: 0 }), 404, 'ORDER_NOT_FOUND')
    await expectRejected(api, patch(3, { petId: 99 }), 422, 'UNKNOWN_PET')
    await expectRejected(api, patch(3, { quantity: 0 }), 422, 'INVALID_QUANTITY')
    await expectRejected(api, patch(3, { quantity: 9 }), 409, 'ORDER_COMPLETE')
    const soldOut = { petId: 3, quantity: 0 }
    await expectRejected(api, () => api.post('/store/orders', soldOut), 422, 'INVALID_QUANTITY')
  })
})
