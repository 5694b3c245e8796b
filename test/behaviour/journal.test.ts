import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { openClient, readResponse, shop } from '../support/client.js'

const fixtures = shop([{ id: 1, name: 'Rex' }])

describeAdapters('the journal', (adapter) => {
  it('has requests and responses, oldest first', async () => {
    const api = await openClient(adapter, { fixtures })
    api.mock.petstore.clock.freeze()
    api.mock.petstore.clock.set('2026-05-01T10:00:00Z')
    await api.get('/pets?limit=2&status=sold&status=pending&other=x')
    await api.put('/pets/1', { name: 'Rover', categoryId: 1 })
    await api.delete('/pets/77')
    const entries = api.mock.petstore.journal.entries()
    expect(entries).toMatchObject([
      {
        id: 1,
        at: '2026-05-01T10:00:00.000Z',
        method: 'GET',
        path: '/pets',
        query: { limit: 2, status: ['sold', 'pending'], other: 'x' },
        operation: 'listPets',
        params: {},
        status: 200,
        response: { headers: { 'content-type': 'application/json', 'x-stability': 'beta' }, body: [] },
      },
      {
        id: 2,
        method: 'PUT',
        path: '/pets/1',
        query: {},
        operation: 'updatePet',
        params: { petId: 1 },
        status: 200,
        request: { headers: { 'content-type': 'application/json' }, body: { name: 'Rover', categoryId: 1 } },
        response: { body: { id: 1, name: 'Rover', categoryId: 1, status: 'available' } },
      },
      {
        id: 3,
        operation: 'deletePet',
        params: { petId: 77 },
        status: 404,
        response: { body: { code: 'PET_NOT_FOUND' } },
      },
    ])
    expect(entries.every(({ durationMs }) => durationMs >= 0)).toBe(true)
    expect(entries.every((entry) => !('violations' in entry))).toBe(true)
  })

  it('has the contract violations of a request', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.get('/pets?limit=0')
    await api.post('/pets', '{"name"')
    await api.get('/petz')
    await api.delete('/pets')
    await api.get('/pets/99')
    const violations = api.mock.petstore.journal.entries().map((entry) => entry.violations)
    expect(violations).toEqual([
      [expect.stringContaining('limit')],
      [expect.stringContaining('JSON')],
      [expect.stringContaining('/petz')],
      [expect.stringContaining('DELETE')],
      undefined,
    ])
    const [badLimit, badBody] = api.mock.petstore.journal.entries()
    expect(badLimit?.query).toEqual({ limit: 0 })
    expect(badBody?.request.body).toBe('{"name"')
  })

  it('records no violation for an error from an override', async () => {
    const api = await openClient(adapter, { fixtures })
    const message = 'x'.repeat(70_000)
    api.mock.petstore.override('getPet', { status: 400, body: { code: 'INVALID_REQUEST', message, status: 400 } })
    await api.get('/pets/1')
    expect(api.mock.petstore.journal.entries()).toMatchObject([{ status: 400, response: { cut: true } }])
    expect(api.mock.petstore.journal.entries()[0]?.violations).toBeUndefined()
  })

  it('rejects a filter for an unknown operation', async () => {
    const { petstore } = (await openClient(adapter)).mock
    expect(() => petstore.journal.entries({ operation: 'nope' as never })).toThrow('Unknown operation "nope"')
  })

  it('records a path that only starts like the admin API', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.get('/__administrators')
    expect(api.mock.petstore.journal.entries()).toMatchObject([{ path: '/__administrators', status: 404 }])
  })

  it('can be filtered', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.get('/pets/1')
    await api.get('/pets/2')
    await api.post('/categories', { name: 'Birds' })
    await api.get('/pets/1')
    const { journal } = api.mock.petstore
    const ids = (filter: Parameters<typeof journal.entries>[0]) => journal.entries(filter).map(({ id }) => id)
    expect(ids({ operation: 'getPet' })).toEqual([1, 2, 4])
    expect(ids({ operation: 'getPet', status: 200 })).toEqual([1, 4])
    expect(ids({ method: 'post' })).toEqual([3])
    expect(ids({ since: 2 })).toEqual([3, 4])
    expect(ids({ limit: 1 })).toEqual([4])
    expect(ids({ limit: 0 })).toEqual([])
    expect(ids({ operation: 'deletePet' })).toEqual([])
  })

  it('evicts the oldest entries and counts them', async () => {
    const api = await openClient(adapter, { fixtures, journalSize: 3 })
    for (let count = 1; count <= 5; count++) await api.get(`/pets?limit=${count}`)
    const { journal } = api.mock.petstore
    expect(journal.entries().map(({ id, query }) => [id, query])).toEqual([
      [3, { limit: 3 }],
      [4, { limit: 4 }],
      [5, { limit: 5 }],
    ])
    expect([journal.total, journal.evicted]).toEqual([5, 2])
    journal.clear()
    expect([journal.entries(), journal.total, journal.evicted]).toEqual([[], 0, 0])
  })

  it('counts requests even if it keeps no entries', async () => {
    const api = await openClient(adapter, { fixtures, journalSize: 0 })
    await api.get('/pets')
    const { journal } = api.mock.petstore
    expect([journal.entries(), journal.total, journal.evicted]).toEqual([[], 1, 1])
  })

  it('is empty after a reset', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.get('/pets')
    api.mock.petstore.reset()
    await api.get('/categories')
    expect(api.mock.petstore.journal.entries()).toMatchObject([{ id: 1, operation: 'listCategories' }])
  })

  it('has no requests to the admin API, and no calls of data', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.get('/__admin/health')
    await api.get('/__admin/nowhere')
    await api.get('/openapi.json')
    api.mock.petstore.data.pets.create()
    expect(api.mock.petstore.journal.total).toBe(0)
  })

  it('hides secrets', async () => {
    const api = await openClient(adapter, { fixtures })
    await readResponse(await api.mock.fetch('/pets', { headers: { Authorization: 'Bearer abc', 'X-API-Key': 'abc' } }))
    const [entry] = api.mock.petstore.journal.entries()
    expect(entry?.request.headers).toMatchObject({ authorization: '(hidden)', 'x-api-key': '(hidden)' })
    expect(JSON.stringify(entry)).not.toContain('abc')
  })

  it('truncates a long body', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.post('/pets', { name: 'x'.repeat(100_000), categoryId: 1 })
    const [entry] = api.mock.petstore.journal.entries()
    expect(entry).toMatchObject({ operation: 'createPet', request: { cut: true }, response: { cut: true } })
    expect(entry?.request.body).toHaveLength(65_536)
  })

  it('records the response of an override', async () => {
    const api = await openClient(adapter, { fixtures })
    api.mock.petstore.override('getPet', async () => ({ status: 503 }))
    await api.get('/pets/1')
    expect(api.mock.petstore.journal.entries()).toMatchObject([{ operation: 'getPet', status: 503 }])
  })

  it('has exact ids', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.get('/pets/9007199254740993')
    await api.post('/store/orders', '{"petId":9007199254740993}')
    expect(api.mock.petstore.journal.entries()).toMatchObject([
      { params: { petId: 9007199254740993n } },
      { request: { body: { petId: 9007199254740993n } } },
    ])
  })
})

describeAdapters('lifecycle warnings', (adapter) => {
  it('name the deprecated and experimental operations that were used, with counts', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.get('/pets/1')
    await api.get('/pets/99')
    await api.get('/store/orders')
    await api.delete('/pets/1')
    expect(api.mock.petstore.lifecycleWarnings).toEqual([
      { operation: 'getPet', marker: 'deprecated', count: 2, since: '2026-01-01', sunset: '2030-12-05' },
      { operation: 'deletePet', marker: 'experimental', count: 1 },
    ])
    api.mock.petstore.reset()
    expect(api.mock.petstore.lifecycleWarnings).toEqual([])
  })

  it('do not count calls of data', async () => {
    const { petstore } = (await openClient(adapter, { fixtures })).mock
    petstore.data.pets.find(1)
    expect(petstore.lifecycleWarnings).toEqual([])
  })

  it('fail the test with the option failOn', async () => {
    const api = await openClient(adapter, { fixtures, failOn: ['deprecated', 'experimental'] })
    await api.get('/pets')
    api.mock.petstore.check()
    await api.get('/pets/1')
    await api.get('/pets/1')
    api.mock.petstore.reset()
    expect(() => api.mock.petstore.check()).toThrow(/^getPet was used 2 times, but is deprecated since 2026-01-01/)
    await api.get('/pets/1')
    await api.delete('/pets/1')
    expect(() => api.mock.petstore.check()).toThrow(/getPet was used once[\s\S]*deletePet was used once/)
    // Thrown once, but still listed.
    api.mock.petstore.check()
    expect(api.mock.petstore.lifecycleWarnings).toHaveLength(2)
  })
})
