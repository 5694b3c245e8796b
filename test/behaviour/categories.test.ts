import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import {
  expectError,
  expectRejected,
  expectResponse,
  expectUnchanged,
  openClient,
  shop,
  stabilityOf,
} from '../support/client.js'

const DOGS = { id: 1, name: 'Dogs', description: 'They bark' }
const CATS = { id: 2, name: 'Cats' }
const SHOP = { fixtures: shop() }

describeAdapters('categories', (adapter) => {
  it('lists categories as a bare array, by id', async () => {
    const api = await openClient(adapter, SHOP)
    const response = await api.get('/categories')
    expectResponse(response, 200, [DOGS, CATS])
    expect(response.headers.get('x-total-count')).toBe('2')
    expect(response.headers.get('link')).toMatch(/rel="first".*rel="last"/)
  })

  it.each([
    ['name=OG', [DOGS]],
    ['name=fish', []],
    ['sort=name', [CATS, DOGS]],
    ['sort=description', [DOGS, CATS]],
    ['sort=-description', [DOGS, CATS]],
  ])('lists the categories that ?%s asks for', async (query, expected) => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.get(`/categories?${query}`), 200, expected)
  })

  it('creates a category under the next id and says where it is', async () => {
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

  it('takes a name that is taken, and empty texts', async () => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.post('/categories', { name: 'Dogs' }), 201, { id: 3, name: 'Dogs' })
    const empty = { name: '', description: '' }
    expectResponse(await api.post('/categories', empty), 201, { id: 4, ...empty })
  })

  it('drops what the schema does not know, and an id', async () => {
    const api = await openClient(adapter, SHOP)
    const strange = '{"id":77,"name":"Rabbits","ears":2,"__proto__":{"polluted":1}}'
    expectResponse(await api.post('/categories', strange), 201, { id: 3, name: 'Rabbits' })
    expectResponse(await api.put('/categories/1', strange), 200, { id: 1, name: 'Rabbits' })
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('shows a category', async () => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.get('/categories/1'), 200, DOGS)
    expectResponse(await api.get('/categories/2'), 200, CATS)
  })

  it('replaces a category and removes a description that is left out', async () => {
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

  it('deletes a category, once', async () => {
    const api = await openClient(adapter, SHOP)
    expectResponse(await api.delete('/categories/2'), 204)
    expectResponse(await api.get('/categories'), 200, [DOGS])
    expectError(await api.get('/categories/2'), 404, 'CATEGORY_NOT_FOUND', /2/)
    await expectRejected(api, () => api.delete('/categories/2'), 404, 'CATEGORY_NOT_FOUND', /2/)
  })

  it('does not delete a category with pets, whatever their status', async () => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1, categoryId: 2, status: 'sold' }]) })
    await expectRejected(api, () => api.delete('/categories/2'), 409, 'CATEGORY_IN_USE', /category 2\b.*pet/)
  })

  it('deletes a category once its last pet has gone or moved', async () => {
    const api = await openClient(adapter, { fixtures: shop([{ id: 1 }, { id: 2 }]) })
    await api.delete('/pets/1')
    await expectRejected(api, () => api.delete('/categories/1'), 409, 'CATEGORY_IN_USE')
    await api.put('/pets/2', { name: 'Mia', categoryId: 2 })
    expectResponse(await api.delete('/categories/1'), 204)
    await expectRejected(api, () => api.delete('/categories/2'), 409, 'CATEGORY_IN_USE')
  })

  it.each(['0', '-1', '999999', '9223372036854775807', '-9223372036854775808'])(
    'answers 404 for the unknown category %s, whatever is asked of it',
    async (id) => {
      const api = await openClient(adapter, SHOP)
      await expectRejected(api, () => api.get(`/categories/${id}`), 404, 'CATEGORY_NOT_FOUND', id)
      await expectRejected(api, () => api.put(`/categories/${id}`, DOGS), 404, 'CATEGORY_NOT_FOUND', id)
      await expectRejected(api, () => api.delete(`/categories/${id}`), 404, 'CATEGORY_NOT_FOUND', id)
    },
  )

  it.each([
    ['{}', /\/name.*missing/],
    ['{"description":"They hop"}', /\/name.*missing/],
    ['{"name":7}', /\/name.*string/],
    ['{"name":null}', /\/name.*null/],
    ['{"name":"Rabbits","description":null}', /\/description.*null/],
    ['{"name":"Rabbits","description":["They hop"]}', /\/description.*array/],
    ['[{"name":"Rabbits"}]', /object/],
    ['null', /object/],
  ])('refuses %s as outside the schema', async (body, mentioning) => {
    const api = await openClient(adapter, SHOP)
    await expectRejected(api, () => api.post('/categories', body), 400, 'INVALID_REQUEST', mentioning)
    await expectRejected(api, () => api.put('/categories/1', body), 400, 'INVALID_REQUEST', mentioning)
    await expectRejected(api, () => api.put('/categories/99', body), 400, 'INVALID_REQUEST', mentioning)
  })

  it.each(['', '{', '{"name":"Rabbits"}}'])('refuses "%s" as a malformed body', async (body) => {
    const api = await openClient(adapter, SHOP)
    await expectRejected(api, () => api.post('/categories', body), 400, 'MALFORMED_BODY', /body/)
    await expectRejected(api, () => api.put('/categories/1', body), 400, 'MALFORMED_BODY', /body/)
  })

  it('names the stability of each operation, its errors included', async () => {
    const api = await openClient(adapter, SHOP)
    expect(stabilityOf(await api.get('/categories'))).toBe('beta')
    expect(stabilityOf(await api.post('/categories', DOGS))).toBe('beta')
    expect(stabilityOf(await api.post('/categories', {}))).toBe('beta')
    expect(stabilityOf(await api.get('/categories/1'))).toBe('beta')
    expect(stabilityOf(await api.get('/categories/99'))).toBe('beta')
    expect(stabilityOf(await api.put('/categories/1', DOGS))).toBe('experimental')
    expect(stabilityOf(await api.put('/categories/99', DOGS))).toBe('experimental')
    expect(stabilityOf(await api.delete('/categories/1'))).toBe('experimental')
    expect(stabilityOf(await api.delete('/categories/1'))).toBe('experimental')
  })
})
