import { expect, it } from 'vitest'
import { describeAdapters, inMemory } from '../support/adapters.js'
import { expectNoContent, sandboxByPath } from '../support/admin.js'
import { forEachCase } from '../support/cases.js'
import { type Client, expectError, expectResponse, openClient, readResponse, shop, toJson } from '../support/client.js'

const fixtures = shop([{ id: 1, name: 'Rex' }])

interface Page {
  entries: { id: number; path: string; [name: string]: unknown }[]
  total: number
  evicted: number
}

async function journalOf(api: Client, query = ''): Promise<Page> {
  const { status, body } = await api.get(`/__admin/journal${query}`)
  expect(status).toBe(200)
  return body as Page
}

const idsOf = async (api: Client, query: string) => (await journalOf(api, query)).entries.map(({ id }) => id)

const INVALID_FILTERS: readonly (readonly [query: string, message: RegExp])[] = [
  ['operation=nope', /Unknown operation "nope"/],
  ['operation=getHealth', /Unknown operation "getHealth"/],
  ['status=600', /status must be/],
  ['since=-1', /since must be/],
  ['since=9007199254740993', /since must be/],
  ['limit=-1', /limit must be/],
  ['limit=1&limit=2', /limit must be given once/],
]

describeAdapters('the journal over HTTP', (adapter) => {
  it('has the same requests and responses as the journal in process', async () => {
    const api = await openClient(adapter, { fixtures })
    expectResponse(await api.get('/__admin/journal'), 200, { entries: [], total: 0, evicted: 0 })
    await api.put('/__admin/clock', { now: '2026-05-01T10:00:00Z', frozen: true })
    await api.get('/pets?limit=2&status=sold&other=x')
    await api.put('/pets/1', { name: 'Rover', categoryId: 1 })
    await api.post('/pets', '{"name"')
    const { entries, ...counts } = await journalOf(api)
    expect(counts).toEqual({ total: 3, evicted: 0 })
    expect(entries).toMatchObject([
      {
        id: 1,
        at: '2026-05-01T10:00:00.000Z',
        method: 'GET',
        path: '/pets',
        query: { limit: 2, status: ['sold'], other: 'x' },
        operation: 'listPets',
        params: {},
        status: 200,
        response: { headers: { 'content-type': 'application/json' }, body: [] },
      },
      {
        id: 2,
        operation: 'updatePet',
        params: { petId: 1 },
        request: { headers: { 'content-type': 'application/json' }, body: { name: 'Rover', categoryId: 1 } },
        response: { body: { id: 1, name: 'Rover', categoryId: 1, status: 'available' } },
      },
      { id: 3, operation: 'createPet', status: 400, violations: [expect.any(String)], request: { body: '{"name"' } },
    ])
    expect(entries).toEqual(api.mock.petstore.journal.entries())
  })

  it('has exact ids and numbers, and any parameters', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.get('/pets/9007199254740993?x=1&x=2&__proto__=3')
    await api.post('/store/orders', '{"petId":9007199254740993,"deep":[null,{"id":12345678901234567890}]}')
    const { text } = await api.get('/__admin/journal')
    expect(text).toContain('"params":{"petId":9007199254740993}')
    expect(text).toContain('"body":{"petId":9007199254740993,"deep":[null,{"id":12345678901234567890}]}')
    expect(text).toContain('"x":["1","2"]')
    expect(text).toContain('"__proto__":"3"')
  })

  it('can be filtered', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.get('/pets/1')
    await api.get('/pets/2')
    await api.post('/categories', { name: 'Birds' })
    await api.get('/nowhere')
    await api.get('/pets/1')
    expect(await idsOf(api, '')).toEqual([1, 2, 3, 4, 5])
    expect(await idsOf(api, '?operation=getPet')).toEqual([1, 2, 5])
    expect(await idsOf(api, '?operation=getPet&status=200')).toEqual([1, 5])
    expect(await idsOf(api, '?operation=deletePet')).toEqual([])
    expect(await idsOf(api, '?status=404')).toEqual([2, 4])
    expect(await idsOf(api, '?status=0')).toEqual([])
    expect(await idsOf(api, '?method=post')).toEqual([3])
    expect(await idsOf(api, '?method=GET&since=2')).toEqual([4, 5])
    expect(await idsOf(api, '?since=5')).toEqual([])
    expect(await idsOf(api, '?since=0&limit=2')).toEqual([4, 5])
    expect(await idsOf(api, '?operation=getPet&limit=1')).toEqual([5])
    expect(await idsOf(api, '?limit=0')).toEqual([])
    expect(await idsOf(api, '?limit=9007199254740991')).toHaveLength(5)
    // Enough have arrived, although the limit leaves only one of them.
    expect(await idsOf(api, '?operation=getPet&limit=1&times=3&waitMs=60000')).toEqual([5])
    // The counts do not depend on the filter.
    expect(await journalOf(api, '?limit=1')).toMatchObject({ total: 5, evicted: 0 })
  })

  it('rejects invalid filters', async () => {
    const api = await openClient(adapter, { fixtures })
    await forEachCase(INVALID_FILTERS, async ([query, message]) => {
      for (const path of ['/__admin/journal', '/__admin/journal.har']) {
        expectError(await api.get(`${path}?${query}`), 400, 'INVALID_REQUEST', message)
      }
    })
  })

  it('returns an entry by its id until it is evicted', async () => {
    const api = await openClient(adapter, { fixtures, journalSize: 3 })
    for (let count = 1; count <= 5; count++) await api.get(`/pets?limit=${count}`)
    expect((await api.get('/__admin/journal/4')).body).toMatchObject({ id: 4, query: { limit: 4 } })
    expect((await api.get('/__admin/journal/4')).body).toEqual((await journalOf(api)).entries[1])
    for (const id of [1, 2, 6, 7, 8, Number.MAX_SAFE_INTEGER]) {
      expectError(await api.get(`/__admin/journal/${id}`), 404, 'ENTRY_NOT_FOUND', String(id))
    }
    for (const id of ['0', '-1', 'x', '1.5', '9007199254740993']) {
      expectError(await api.get(`/__admin/journal/${id}`), 400, 'INVALID_REQUEST', 'path parameter id')
    }
    const { journal } = api.mock.petstore
    expect(Array.from({ length: 7 }, (_, id) => journal.find(id)?.id)).toEqual([
      ...[undefined, undefined, undefined, 3, 4, 5, undefined],
    ])
  })

  it('counts requests even if it keeps no entries', async () => {
    const api = await openClient(adapter, { fixtures, journalSize: 0 })
    await api.get('/pets')
    expectResponse(await api.get('/__admin/journal'), 200, { entries: [], total: 1, evicted: 1 })
    expectError(await api.get('/__admin/journal/1'), 404, 'ENTRY_NOT_FOUND')
  })

  it('is empty after it is cleared, and after a reset', async () => {
    const api = await openClient(adapter, { fixtures, journalSize: 2 })
    for (const clear of [() => api.delete('/__admin/journal'), () => api.post('/__admin/reset')]) {
      for (let count = 0; count < 3; count++) await api.get('/pets')
      expectNoContent(await clear())
      expectResponse(await api.get('/__admin/journal'), 200, { entries: [], total: 0, evicted: 0 })
      await api.get('/categories')
      expect(await journalOf(api)).toMatchObject({ entries: [{ id: 1, operation: 'listCategories' }], total: 1 })
      expectNoContent(await api.delete('/__admin/journal'))
    }
    await api.post('/categories', { name: 'Birds' })
    expectNoContent(await api.delete('/__admin/journal'))
    expect((await api.get('/categories')).body).toHaveLength(3)
  })

  it('has no requests to the admin API, whatever the response', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.get('/__admin/health')
    await api.get('/%5F_admin/health')
    await api.get('/__admin/nowhere')
    await api.delete('/__admin/health')
    await api.post('/__admin/snapshots', { name: 5 })
    await (await api.mock.fetch('/openapi.yaml')).text()
    await sandboxByPath(api, 'a').get('/__admin/clock')
    await readResponse(await api.mock.fetch('/__admin/health', { headers: { Prefer: 'code=503' } }))
    expect(await journalOf(api)).toEqual({ entries: [], total: 0, evicted: 0 })
    expect(await journalOf(sandboxByPath(api, 'a'))).toEqual({ entries: [], total: 0, evicted: 0 })
    expect(api.mock.petstore.coverage().summary.operations.exercised).toBe(0)
  })

  it('can be exported as HAR, with the same filters', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.put('/__admin/clock', { now: '2026-05-01T10:00:00Z', frozen: true })
    await api.get('/pets?limit=2')
    await api.post('/pets', { name: 'Max', categoryId: 1 })
    const { status, headers, body } = await api.get('/__admin/journal.har')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(toJson(body)).toBe(toJson(api.mock.petstore.journal.toHar()))
    const { body: filtered } = await api.get('/__admin/journal.har?operation=createPet')
    expect(filtered).toMatchObject({ log: { entries: [{ request: { method: 'POST' } }] } })
    expect((filtered as { log: { entries: unknown[] } }).log.entries).toHaveLength(1)
  })
})

it('the journal rejects unknown filters', async () => {
  const api = await openClient(inMemory, { fixtures })
  expectError(await api.get('/__admin/journal?opertion=getPet'), 400, 'INVALID_REQUEST', 'opertion')
  expect(() => api.mock.petstore.journal.entries({ opertion: 'getPet' } as never)).toThrow(
    /Unknown journal filter "opertion". Did you mean "operation"/,
  )
  expect((await api.get('/openapi.json?v=2')).status).toBe(200)
})

it('the journal has a body that is nested too deeply as the text that was sent', async () => {
  const api = await openClient(inMemory, { fixtures, maxJsonDepth: 1000 })
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
  await api.post('/pets', deep)
  await api.post('/pets', `{"name":"Rex","categoryId":1,"more":${deep.slice(29_500, -29_500)}}`)
  const { entries } = await journalOf(api)
  expect(entries.map(({ status, request }) => [status, typeof (request as { body: unknown }).body])).toEqual([
    [400, 'string'],
    [201, 'string'],
  ])
  expect((await api.get('/__admin/journal.har')).status).toBe(200)
})

it('the journal has a body of many values as the text that was sent', async () => {
  const api = await openClient(inMemory, { fixtures })
  const sent = (count: number) => ({ name: 'Rex', categoryId: 1, more: Array.from({ length: count }, () => 1) })
  await api.post('/pets', sent(497))
  await api.post('/pets', sent(498))
  const { entries } = await journalOf(api)
  const bodies = entries.map(({ request }) => (request as { body: unknown }).body)
  expect(bodies).toEqual([sent(497), JSON.stringify(sent(498))])
})

it('the journal keeps the last 1,000 of many requests, and counts the evicted ones', async () => {
  const api = await openClient(inMemory, { fixtures })
  const { petstore } = api.mock
  for (let count = 0; count < 1500; count++) petstore.handle(plainRequest(`/pets/${count}`))
  const { entries, ...counts } = await journalOf(api)
  expect(counts).toEqual({ total: 1500, evicted: 500 })
  expect(entries).toHaveLength(1000)
  expect([entries[0], entries[999]]).toMatchObject([
    { id: 501, path: '/pets/500' },
    { id: 1500, path: '/pets/1499' },
  ])
  expect(entries.every(({ id }, index) => id === 501 + index)).toBe(true)
  expect([petstore.journal.total, petstore.journal.evicted]).toEqual([1500, 500])
})

function plainRequest(path: string) {
  return { method: 'GET', path, query: '', base: '', headers: {} }
}
