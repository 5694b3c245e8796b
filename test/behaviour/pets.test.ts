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

const REX = { id: 1, name: 'Rex', categoryId: 1, status: 'available' } as const
const MIA = { id: 2, name: 'Mia', categoryId: 2, status: 'pending' } as const
const TOM = { id: 3, name: 'Tom', categoryId: 2, status: 'sold' } as const
const SHOP = { fixtures: shop([{ ...REX, stock: 3 }, MIA, TOM]) }

describeAdapters('pets', (adapter) => {
  it('lists pets as a bare array, by id', async () => {
    const api = await openClient(adapter, SHOP)
    const response = await api.get('/pets')
    expectResponse(response, 200, [REX, MIA, TOM])
    expect(response.headers.get('x-total-count')).toBe('3')
    expect(response.headers.get('link')).toMatch(/rel="first".*rel="last"/)
  })

  it('lists nothing in an empty store', async () => {
    const api = await openClient(adapter, { fixtures: {} })
    const response = await api.get('/pets')
    expectResponse(response, 200, [])
    expect(response.headers.get('x-total-count')).toBe('0')
  })

  it.each([
    ['status=pending', [MIA]],
    ['status=sold&status=available', [REX, TOM]],
    ['categoryId=2', [MIA, TOM]],
    ['categoryId=99', []],
    ['name=RE', [REX]],
    ['name=m&categoryId=2&status=sold', [TOM]],
    ['sort=-name&limit=2', [TOM, REX]],
  ])('lists the pets that ?%s asks for', async (query, expected) => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.get(`/pets?${query}`), 200, expected)
  })

  it('creates a pet under the next id and says where it is', async () => {
    const api = await openClient(adapter, SHOP)
    const response = await api.post('/pets', { name: 'Bo', categoryId: 1, status: 'pending' })
    expectResponse(response, 201, { id: 4, name: 'Bo', categoryId: 1, status: 'pending' })
    expect(response.headers.get('location')).toBe('/pets/4')
    expectResponse(await api.get('/pets/4'), 200, response.body)
  })

  it('creates a pet as available unless told otherwise', async () => {
    const api = await openClient(adapter, SHOP)
    const response = await api.post('/pets', { name: 'Bo', categoryId: 1 })
    expectResponse(response, 201, { id: 4, name: 'Bo', categoryId: 1, status: 'available' })
  })

  it.each([
    ['available', 1],
    ['pending', 1],
    ['sold', 0],
  ])('gives a pet created as %s a stock of %i', async (status, stock) => {
    const api = await openClient(adapter, SHOP)
    await api.post('/pets', { name: 'Bo', categoryId: 1, status })
    await expectStock(api, 4, stock, status)
  })

  it.each(['', '   ', 'javascript:alert(1)', '<b>&amp;</b>', 'naïve 🐕 \u0000\u2028', '\ud800', 'x'.repeat(100_000)])(
    'keeps a name exactly as it was given (%#)',
    async (name) => {
      const api = await openClient(adapter, SHOP)
      expectResponse(await api.post('/pets', { name, categoryId: 1 }), 201, { ...REX, id: 4, name })
      expectResponse(await api.get('/pets/4'), 200, { ...REX, id: 4, name })
    },
  )

  it.each(['1.0', '1e0', '10e-1', '1.000'])('takes the category id %s as the integer it is', async (spelling) => {
    const api = await openClient(adapter, SHOP)
    const response = await api.post('/pets', `{"name":"Bo","categoryId":${spelling}}`)
    expectResponse(response, 201, { id: 4, name: 'Bo', categoryId: 1, status: 'available' })
  })

  it('drops what the schema does not know, and an id', async () => {
    const api = await openClient(adapter, SHOP)
    const strange = '{"id":77,"name":"Bo","categoryId":1,"stock":9,"__proto__":{"polluted":1},"constructor":null}'
    const made = { id: 4, name: 'Bo', categoryId: 1, status: 'available' }
    expectResponse(await api.post('/pets', strange), 201, made)
    expectResponse(await api.put('/pets/1', strange), 200, { ...made, id: 1 })
    expectResponse(await api.get('/pets'), 200, [{ ...made, id: 1 }, MIA, TOM, made])
    await expectStock(api, 1, 3, 'available')
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('shows a pet', async () => {
    const api = await openClient(adapter, SHOP)
    for (const pet of [REX, MIA, TOM]) expectResponse(await api.get(`/pets/${pet.id}`), 200, pet)
  })

  it.each(['1', '99', 'abc'])('says that reading a pet is deprecated, whatever the answer (%s)', async (id) => {
    const api = await openClient(adapter, SHOP)
    const { headers } = await api.get(`/pets/${id}`)
    expect(headers.get('deprecation')).toBe('@1767225600')
    expect(headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
    expect(headers.get('link')).toMatch(/rel="deprecation".*rel="sunset"/)
  })

  it('replaces a pet and keeps its status when that is left out', async () => {
    const api = await openClient(adapter, SHOP)
    const expected = { id: 2, name: 'Minka', categoryId: 1, status: 'pending' }
    expectResponse(await api.put('/pets/2', { name: 'Minka', categoryId: 1 }), 200, expected)
    expectResponse(await api.get('/pets'), 200, [REX, expected, TOM])
  })

  it('changes nothing when a pet is replaced with its own body', async () => {
    const api = await openClient(adapter, SHOP)
    for (const pet of [REX, MIA, TOM]) {
      expectResponse(await expectUnchanged(api.mock, () => api.put(`/pets/${pet.id}`, pet)), 200, pet)
    }
  })

  it('deletes a pet and its inventory entry, once', async () => {
    const api = await openClient(adapter, SHOP)
    const response = await api.delete('/pets/2')
    expectResponse(response, 204)
    expect(response.text).toBe('')
    expectResponse(await api.get('/pets'), 200, [REX, TOM])
    expectError(await api.get('/pets/2'), 404, 'PET_NOT_FOUND', /2/)
    expectError(await api.get('/store/inventory/2'), 404, 'PET_NOT_FOUND', /2/)
    expect((await api.get('/store/inventory')).text).not.toContain('"petId":2')
    await expectRejected(api, () => api.delete('/pets/2'), 404, 'PET_NOT_FOUND', /2/)
  })

  it('keeps the complete orders of a deleted pet', async () => {
    const order = { id: 9, petId: 3, quantity: 1, shipDate: '2026-01-02T03:04:05.000Z', complete: true }
    const api = await openClient(adapter, { fixtures: shop([TOM], [order]) })
    expectResponse(await api.delete('/pets/3'), 204)
    expectResponse(await api.get('/store/orders'), 200, [order])
  })

  it('does not delete a pet with an open order', async () => {
    const api = await openClient(adapter, {
      fixtures: shop([REX], [{ id: 9, petId: 1, quantity: 1, complete: false }]),
    })
    await expectRejected(api, () => api.delete('/pets/1'), 409, 'PET_IN_USE', /pet 1\b.*open order/)
    expectResponse(await api.delete('/store/orders/9'), 204)
    expectResponse(await api.delete('/pets/1'), 204)
  })

  it('does not delete a pet with an order that does not say whether it is complete', async () => {
    const api = await openClient(adapter, { fixtures: shop([REX], [{ id: 9, petId: 1 }]) })
    await expectRejected(api, () => api.delete('/pets/1'), 409, 'PET_IN_USE', /pet 1\b.*open order/)
  })

  it.each(['0', '-1', '999999', '9223372036854775807', '-9223372036854775808'])(
    'answers 404 for the unknown pet %s, whatever is asked of it',
    async (id) => {
      const api = await openClient(adapter, SHOP)
      await expectRejected(api, () => api.get(`/pets/${id}`), 404, 'PET_NOT_FOUND', id)
      await expectRejected(api, () => api.put(`/pets/${id}`, REX), 404, 'PET_NOT_FOUND', id)
      await expectRejected(api, () => api.delete(`/pets/${id}`), 404, 'PET_NOT_FOUND', id)
    },
  )

  it.each(['99', '-0', '-1', '9223372036854775807'])('refuses the unknown category %s', async (categoryId) => {
    const api = await openClient(adapter, SHOP)
    const body = `{"name":"Bo","categoryId":${categoryId}}`
    await expectRejected(api, () => api.post('/pets', body), 422, 'UNKNOWN_CATEGORY', /categoryId/)
    await expectRejected(api, () => api.put('/pets/1', body), 422, 'UNKNOWN_CATEGORY', /categoryId/)
  })

  it.each([
    ['{"categoryId":1}', /\/name.*missing/],
    ['{"name":"Bo"}', /\/categoryId.*missing/],
    ['{"name":1,"categoryId":1}', /\/name.*string/],
    ['{"name":["Bo"],"categoryId":1}', /\/name.*array/],
    ['{"name":{},"categoryId":1}', /\/name.*object/],
    ['{"name":null,"categoryId":1}', /\/name.*null/],
    ['{"name":"Bo","categoryId":"1"}', /\/categoryId.*integer/],
    ['{"name":"Bo","categoryId":1.5}', /\/categoryId/],
    ['{"name":"Bo","categoryId":1e-1}', /\/categoryId/],
    ['{"name":"Bo","categoryId":1e400}', /\/categoryId/],
    ['{"name":"Bo","categoryId":true}', /\/categoryId/],
    ['{"name":"Bo","categoryId":9223372036854775808}', /\/categoryId.*9223372036854775808/],
    ['{"name":"Bo","categoryId":-9223372036854775809}', /\/categoryId/],
    ['{"name":"Bo","categoryId":1.0000000000000001}', /\/categoryId/],
    ['{"name":"Bo","categoryId":1,"status":"SOLD"}', /\/status.*available, pending, sold/],
    ['{"name":"Bo","categoryId":1,"status":""}', /\/status/],
    ['{"name":"Bo","categoryId":1,"status":null}', /\/status.*null/],
    ['[]', /object/],
    ['null', /object/],
    ['"x"', /object/],
    ['5', /object/],
    ['true', /object/],
  ])('refuses %s as outside the schema', async (body, mentioning) => {
    const api = await openClient(adapter, SHOP)
    await expectRejected(api, () => api.post('/pets', body), 400, 'INVALID_REQUEST', mentioning)
    await expectRejected(api, () => api.put('/pets/1', body), 400, 'INVALID_REQUEST', mentioning)
  })

  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['a cut-off object', '{"name":'],
    ['a bare word', 'hello'],
    ['a byte-order mark', '\ufeff{"name":"Bo","categoryId":1}'],
    ['NaN', '{"name":"Bo","categoryId":NaN}'],
    ['single quotes', "{'name':'Bo','categoryId':1}"],
    ['a comment', '{"name":"Bo","categoryId":1}//'],
    ['a trailing comma', '{"name":"Bo","categoryId":1,}'],
    ['two documents', '{"name":"Bo","categoryId":1} x'],
    ['a leading zero', '{"name":"Bo","categoryId":01}'],
  ])('refuses %s as a malformed body', async (_, body) => {
    const api = await openClient(adapter, SHOP)
    await expectRejected(api, () => api.post('/pets', body), 400, 'MALFORMED_BODY', /body/)
    await expectRejected(api, () => api.put('/pets/1', body), 400, 'MALFORMED_BODY', /body/)
  })

  it('answers what comes first: the body, then existence, then references, then rules', async () => {
    const api = await openClient(adapter, SHOP)
    const unknownCategory = { name: 'Bo', categoryId: 99, status: 'available' }
    await expectRejected(api, () => api.put('/pets/99', { name: 'Bo' }), 400, 'INVALID_REQUEST')
    await expectRejected(api, () => api.put('/pets/99', unknownCategory), 404, 'PET_NOT_FOUND')
    await expectRejected(api, () => api.put('/pets/3', unknownCategory), 422, 'UNKNOWN_CATEGORY')
    await expectRejected(api, () => api.put('/pets/3', { ...TOM, status: 'available' }), 409, 'INVALID_TRANSITION')
  })

  it('names the stability of each operation, its errors included', async () => {
    const api = await openClient(adapter, SHOP)
    expect(stabilityOf(await api.get('/pets'))).toBe('beta')
    expect(stabilityOf(await api.get('/pets?limit=0'))).toBe('beta')
    expect(stabilityOf(await api.post('/pets', REX))).toBe('beta')
    expect(stabilityOf(await api.post('/pets', {}))).toBe('beta')
    expect(stabilityOf(await api.get('/pets/1'))).toBeNull()
    expect(stabilityOf(await api.put('/pets/1', REX))).toBe('experimental')
    expect(stabilityOf(await api.put('/pets/99', REX))).toBe('experimental')
    expect(stabilityOf(await api.delete('/pets/1'))).toBe('experimental')
    expect(stabilityOf(await api.delete('/pets/1'))).toBe('experimental')
  })
})
