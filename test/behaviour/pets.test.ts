import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { forEachCase } from '../support/cases.js'
import {
  expectError,
  expectRejected,
  expectResponse,
  expectStock,
  expectUnchanged,
  openClient,
  shop,
} from '../support/client.js'

const REX = { id: 1, name: 'Rex', categoryId: 1, status: 'available' } as const
const MIA = { id: 2, name: 'Mia', categoryId: 2, status: 'pending' } as const
const TOM = { id: 3, name: 'Tom', categoryId: 2, status: 'sold' } as const
const SHOP = { fixtures: shop([{ ...REX, stock: 3 }, MIA, TOM]) }

describeAdapters('pets', (adapter) => {
  it('lists pets as a bare array, sorted by id', async () => {
    const api = await openClient(adapter, SHOP)
    const response = await api.get('/pets')
    expectResponse(response, 200, [REX, MIA, TOM])
    expect(response.headers.get('x-total-count')).toBe('3')
    expect(response.headers.get('link')).toMatch(/rel="first".*rel="last"/)
  })

  it('creates a pet with the next id and returns its location', async () => {
    const api = await openClient(adapter, SHOP)
    const response = await api.post('/pets', { name: 'Bo', categoryId: 1, status: 'pending' })
    expectResponse(response, 201, { id: 4, name: 'Bo', categoryId: 1, status: 'pending' })
    expect(response.headers.get('location')).toBe('/pets/4')
    expectResponse(await api.get('/pets/4'), 200, response.body)
  })

  it('creates an available pet by default', async () => {
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

  it('returns a pet', async () => {
    const api = await openClient(adapter, SHOP)
    for (const pet of [REX, MIA, TOM]) expectResponse(await api.get(`/pets/${pet.id}`), 200, pet)
  })

  it('replaces a pet and keeps its status if none is given', async () => {
    const api = await openClient(adapter, SHOP)
    const expected = { id: 2, name: 'Minka', categoryId: 1, status: 'pending' }
    expectResponse(await api.put('/pets/2', { name: 'Minka', categoryId: 1 }), 200, expected)
    expectResponse(await api.get('/pets'), 200, [REX, expected, TOM])
  })

  it('G13 changes nothing when a pet is replaced with its own body', async () => {
    const api = await openClient(adapter, SHOP)
    for (const pet of [REX, MIA, TOM]) {
      expectResponse(await expectUnchanged(api.mock, () => api.put(`/pets/${pet.id}`, pet)), 200, pet)
    }
  })

  it('G6 deletes a pet with its inventory entry, and returns 404 the second time', async () => {
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

  it('G4 does not delete a pet with an open order', async () => {
    const api = await openClient(adapter, {
      fixtures: shop([REX], [{ id: 9, petId: 1, quantity: 1, complete: false }]),
    })
    await expectRejected(api, () => api.delete('/pets/1'), 409, 'PET_IN_USE', /Pet 1\b.*open order/)
    expectResponse(await api.delete('/store/orders/9'), 204)
    expectResponse(await api.delete('/pets/1'), 204)
  })

  it('does not delete a pet with an order that does not say whether it is complete', async () => {
    const api = await openClient(adapter, { fixtures: shop([REX], [{ id: 9, petId: 1 }]) })
    await expectRejected(api, () => api.delete('/pets/1'), 409, 'PET_IN_USE', /Pet 1\b.*open order/)
  })

  it('G5 rejects an unknown category', async () => {
    const api = await openClient(adapter, SHOP)
    await forEachCase(['99', '-0', '-1', '9223372036854775807'], async (categoryId) => {
      const body = `{"name":"Bo","categoryId":${categoryId}}`
      await expectRejected(api, () => api.post('/pets', body), 422, 'UNKNOWN_CATEGORY', /categoryId/)
      await expectRejected(api, () => api.put('/pets/1', body), 422, 'UNKNOWN_CATEGORY', /categoryId/)
    })
  })
})
