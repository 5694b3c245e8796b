import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import {
  expectError,
  expectRejected,
  expectResponse,
  expectStock,
  expectUnchanged,
  openClient,
  shop,
  stabilityOf,
} from '../support/client.js'

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
  it('lists orders as a bare array, by id', async () => {
    const api = await openClient(adapter, SHOP)
    const response = await api.get('/store/orders')
    expectResponse(response, 200, [OPEN, DATED, DONE, LOOSE])
    expect(response.headers.get('x-total-count')).toBe('4')
    expect(response.headers.get('link')).toMatch(/rel="first".*rel="last"/)
  })

  it.each([
    ['petId=1', [OPEN, DONE]],
    ['petId=99', []],
    ['complete=true', [DONE]],
    ['complete=false', [OPEN, DATED, LOOSE]],
    ['petId=1&complete=false', [OPEN]],
    ['sort=-quantity', [LOOSE, OPEN, DATED, DONE]],
    ['sort=shipDate', [DONE, DATED, OPEN, LOOSE]],
    ['sort=-shipDate', [DATED, DONE, OPEN, LOOSE]],
    ['sort=-petId', [DATED, OPEN, DONE, LOOSE]],
  ])('lists the orders that ?%s asks for', async (query, expected) => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.get(`/store/orders?${query}`), 200, expected)
  })

  it('creates an order under the next id and says where it is', async () => {
    const api = await openClient(adapter, SHOP)
    const order = { petId: 1, quantity: 2, shipDate: '2026-07-01T08:00:00.000Z', complete: false }
    const response = await api.post('/store/orders', order)
    expectResponse(response, 201, { id: 5, ...order })
    expect(response.headers.get('location')).toBe('/store/orders/5')
    expectResponse(await api.get('/store/orders/5'), 200, response.body)
  })

  it('creates an open order for one unit, with no ship date, unless told otherwise', async () => {
    const api = await openClient(adapter, SHOP)
    const response = await api.post('/store/orders', { petId: 1 })
    expectResponse(response, 201, { id: 5, petId: 1, quantity: 1, complete: false })
    await expectStock(api, 1, 2, 'available')
  })

  it('creates an order for no pet, which touches no stock', async () => {
    const api = await openClient(adapter, SHOP)
    const { pets, inventory } = { pets: await api.get('/pets'), inventory: await api.get('/store/inventory') }
    expectResponse(await api.post('/store/orders', {}), 201, { id: 5, quantity: 1, complete: false })
    expectResponse(await api.post('/store/orders', { quantity: 999 }), 201, { id: 6, quantity: 999, complete: false })
    expectResponse(await api.get('/pets'), 200, pets.body)
    expectResponse(await api.get('/store/inventory'), 200, inventory.body)
  })

  it('drops what the schema does not know, and an id', async () => {
    const api = await openClient(adapter, SHOP)
    const strange = '{"id":77,"quantity":2,"status":"sold","__proto__":{"complete":true}}'
    expectResponse(await api.post('/store/orders', strange), 201, { id: 5, quantity: 2, complete: false })
    expectResponse(await api.patch('/store/orders/4', strange), 200, { ...LOOSE, quantity: 2 })
    expectError(await api.get('/store/orders/77'), 404, 'ORDER_NOT_FOUND')
  })

  it('shows an order', async () => {
    const api = await openClient(adapter, SHOP)
    for (const order of [OPEN, DATED, DONE, LOOSE]) {
      expectResponse(await api.get(`/store/orders/${order.id}`), 200, order)
    }
  })

  it('changes the fields it is given and leaves the rest', async () => {
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
    ['no field', {}],
    ['only unknown fields', { note: 'x' }],
    ['another id', { id: 99 }],
    ['what it says already', OPEN],
    ['one field as it is', { petId: 1 }],
  ])('changes nothing when a change gives %s', async (_, body) => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await expectUnchanged(api.mock, () => api.patch('/store/orders/1', body)), 200, OPEN)
  })

  it('needs no stock for a change that changes nothing', async () => {
    const api = await openClient(adapter, SHOP)
    const patch = () => api.patch('/store/orders/2', { petId: 2, quantity: 1 })
    expectResponse(await expectUnchanged(api.mock, patch), 200, DATED)
  })

  it('deletes an open order, once', async () => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.delete('/store/orders/1'), 204)
    expectResponse(await api.get('/store/orders'), 200, [DATED, DONE, LOOSE])
    await expectRejected(api, () => api.delete('/store/orders/1'), 404, 'ORDER_NOT_FOUND', /1/)
    expectResponse(await api.delete('/store/orders/4'), 204)
  })

  it.each(['0', '-1', '999999', '9223372036854775807', '-9223372036854775808'])(
    'answers 404 for the unknown order %s, whatever is asked of it',
    async (id) => {
      const api = await openClient(adapter, SHOP)
      await expectRejected(api, () => api.get(`/store/orders/${id}`), 404, 'ORDER_NOT_FOUND', id)
      await expectRejected(api, () => api.patch(`/store/orders/${id}`, {}), 404, 'ORDER_NOT_FOUND', id)
      await expectRejected(api, () => api.delete(`/store/orders/${id}`), 404, 'ORDER_NOT_FOUND', id)
    },
  )

  it.each(['99', '0', '-0', '-1', '9223372036854775807'])('refuses an order for the unknown pet %s', async (petId) => {
    const api = await openClient(adapter, SHOP)
    const body = `{"petId":${petId}}`
    await expectRejected(api, () => api.post('/store/orders', body), 422, 'UNKNOWN_PET', /petId/)
    await expectRejected(api, () => api.patch('/store/orders/1', body), 422, 'UNKNOWN_PET', /petId/)
  })

  it.each(['0', '-0', '-1', '-9007199254740991'])('refuses an order quantity of %s', async (quantity) => {
    const api = await openClient(adapter, SHOP)
    for (const body of [`{"quantity":${quantity}}`, `{"petId":1,"quantity":${quantity}}`]) {
      await expectRejected(api, () => api.post('/store/orders', body), 422, 'INVALID_QUANTITY', /quantity.*1 or more/)
      await expectRejected(api, () => api.patch('/store/orders/1', body), 422, 'INVALID_QUANTITY', /quantity/)
    }
  })

  it.each([
    ['{"petId":null}', /\/petId.*null/],
    ['{"petId":"1"}', /\/petId.*integer/],
    ['{"petId":1.5}', /\/petId/],
    ['{"petId":9223372036854775808}', /\/petId.*9223372036854775808/],
    ['{"quantity":null}', /\/quantity.*null/],
    ['{"quantity":1.5}', /\/quantity.*integer/],
    ['{"quantity":"1"}', /\/quantity/],
    ['{"quantity":true}', /\/quantity/],
    ['{"quantity":1e400}', /\/quantity/],
    ['{"quantity":-1e400}', /\/quantity/],
    ['{"quantity":9007199254740993}', /\/quantity/],
    ['{"shipDate":null}', /\/shipDate.*null/],
    ['{"complete":null}', /\/complete.*null/],
    ['{"complete":"true"}', /\/complete.*boolean/],
    ['{"complete":1}', /\/complete/],
    ['[]', /object/],
    ['null', /object/],
  ])('refuses %s as outside the schema', async (body, mentioning) => {
    const api = await openClient(adapter, SHOP)
    await expectRejected(api, () => api.post('/store/orders', body), 400, 'INVALID_REQUEST', mentioning)
    await expectRejected(api, () => api.patch('/store/orders/1', body), 400, 'INVALID_REQUEST', mentioning)
    await expectRejected(api, () => api.patch('/store/orders/3', body), 400, 'INVALID_REQUEST', mentioning)
  })

  it.each(['', '{', '{"quantity":1'])('refuses "%s" as a malformed body', async (body) => {
    const api = await openClient(adapter, SHOP)
    await expectRejected(api, () => api.post('/store/orders', body), 400, 'MALFORMED_BODY', /body/)
    await expectRejected(api, () => api.patch('/store/orders/1', body), 400, 'MALFORMED_BODY', /body/)
  })

  it('answers what comes first: the body, then existence, then references and quantities, then rules', async () => {
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

  it('names the stability of each operation, its errors included', async () => {
    const api = await openClient(adapter, SHOP)
    expect(stabilityOf(await api.get('/store/orders'))).toBeNull()
    expect(stabilityOf(await api.post('/store/orders', {}))).toBe('beta')
    expect(stabilityOf(await api.post('/store/orders', []))).toBe('beta')
    expect(stabilityOf(await api.get('/store/orders/1'))).toBe('beta')
    expect(stabilityOf(await api.get('/store/orders/99'))).toBe('beta')
    expect(stabilityOf(await api.patch('/store/orders/1', {}))).toBe('experimental')
    expect(stabilityOf(await api.patch('/store/orders/3', { complete: false }))).toBe('experimental')
    expect(stabilityOf(await api.delete('/store/orders/1'))).toBe('experimental')
    expect(stabilityOf(await api.delete('/store/orders/3'))).toBe('experimental')
  })
})
