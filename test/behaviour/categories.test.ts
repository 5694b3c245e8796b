import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { expectError, expectRejected, expectResponse, expectUnchanged, openClient, shop } from '../support/client.js'

const DOGS = { id: 1, name: 'Dogs', description: 'They bark' }
const CATS = { id: 2, name: 'Cats' }
const SHOP = { fixtures: shop() }

describeAdapters('categories', (adapter) => {
  it('lists categories as a bare array, sorted by id', async () => {
    const api = await openClient(adapter, SHOP)
    const response = await api.get('/categories')
    expectResponse(response, 200, [DOGS, CATS])
    expect(response.headers.get('x-total-count')).toBe('2')
    expect(response.headers.get('link')).toMatch(/rel="first".*rel="last"/)
  })

  it('creates a category with the next id and returns its location', async () => {
    const api = await openClient(adapter, SHOP)
    const response = await api.post('/categories', { name: 'Rabbits', description: 'They hop' })
    expectResponse(response, 201, { id: 3, name: 'Rabbits', description: 'They hop' })
    expect(response.headers.get('location')).toBe('/categories/3')
    expectResponse(await api.get('/categories/3'), 200, response.body)
  })

  it('creates a category without a description', async () => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.post('/categories', { name: 'Rabbits' }), 201, { id: 3, name: 'Rabbits' })
  })

  it('accepts a name that is in use, and empty strings', async () => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.post('/categories', { name: 'Dogs' }), 201, { id: 3, name: 'Dogs' })
    const empty = { name: '', description: '' }
    expectResponse(await api.post('/categories', empty), 201, { id: 4, ...empty })
  })

  it('returns a category', async () => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.get('/categories/1'), 200, DOGS)
    expectResponse(await api.get('/categories/2'), 200, CATS)
  })

  it('replaces a category and removes its description if none is given', async () => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.put('/categories/1', { name: 'Hounds' }), 200, { id: 1, name: 'Hounds' })
    expectResponse(await api.put('/categories/2', { name: 'Cats', description: 'They purr' }), 200, {
      ...CATS,
      description: 'They purr',
    })
    expectResponse(await api.get('/categories'), 200, [
      { id: 1, name: 'Hounds' },
      { ...CATS, description: 'They purr' },
    ])
  })

  it('changes nothing when a category is replaced with its own body', async () => {
    const api = await openClient(adapter, SHOP)
    for (const category of [DOGS, CATS]) {
      const put = () => api.put(`/categories/${category.id}`, category)
      expectResponse(await expectUnchanged(api.mock, put), 200, category)
    }
  })

  it('G6 deletes a category, and returns 404 the second time', async () => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.delete('/categories/2'), 204)
    expectResponse(await api.get('/categories'), 200, [DOGS])
    expectError(await api.get('/categories/2'), 404, 'CATEGORY_NOT_FOUND', /2/)
    await expectRejected(api, () => api.delete('/categories/2'), 404, 'CATEGORY_NOT_FOUND', /2/)
  })

  it('G4 does not delete a category that has pets, even sold ones', async () => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1, categoryId: 2, status: 'sold' }]) })
    await expectRejected(api, () => api.delete('/categories/2'), 409, 'CATEGORY_IN_USE', /Category 2\b.*pet/)
  })

  it('deletes a category after its last pet was deleted or moved', async () => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1 }, { id: 2 }]) })
    await api.delete('/pets/1')
    await expectRejected(api, () => api.delete('/categories/1'), 409, 'CATEGORY_IN_USE')
    await api.put('/pets/2', { name: 'Mia', categoryId: 2 })
    expectResponse(await api.delete('/categories/1'), 204)
    await expectRejected(api, () => api.delete('/categories/2'), 409, 'CATEGORY_IN_USE')
  })
})
