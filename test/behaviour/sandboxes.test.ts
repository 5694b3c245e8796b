import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { expectNoContent, sandboxByHeader, sandboxByPath } from '../support/admin.js'
import { forEachCase } from '../support/cases.js'
import { type Client, expectError, expectResponse, exportText, openClient, shop } from '../support/client.js'
import { parseLinks } from '../support/operations.js'

const fixtures = shop([{ id: 1, name: 'Rex' }, { id: 2 }], [{ id: 1, petId: 2, quantity: 1 }])

const NAMINGS = [
  ['header', sandboxByHeader],
  ['base address', sandboxByPath],
] as const

async function namesOf(api: Client): Promise<string[]> {
  return ((await api.get('/__admin/sandboxes')).body as { name: string }[]).map(({ name }) => name)
}

describeAdapters('a sandbox', (adapter) => {
  it.each(NAMINGS)('is named by the %s, and has the starting data of its parent', async (_, enter) => {
    const api = await openClient(adapter, { fixtures })
    const before = await exportText(api.mock)
    await api.post('/pets', { name: 'Max', categoryId: 1 })
    const sandbox = enter(api, 'worker-1')
    expect(await exportText(sandbox.mock)).toBe(before)
    await sandbox.put('/pets/1', { name: 'Rover', categoryId: 2 })
    expect((await sandbox.get('/pets/1')).body).toMatchObject({ name: 'Rover' })
    expect((await api.get('/pets/1')).body).toMatchObject({ name: 'Rex' })
    expect((await enter(api, 'worker-2').get('/pets/1')).body).toMatchObject({ name: 'Rex' })
  })

  it('can be looked at without being created or used', async () => {
    const api = await openClient(adapter, { fixtures })
    const peek = (path: string, method = 'GET') =>
      api.mock.fetch(`/sandbox/a/__admin${path}`, { method, headers: { 'X-Petstore-Peek': 'true' } })
    expect(await (await peek('/state')).json()).toEqual({
      code: 'SANDBOX_NOT_FOUND',
      message: 'Unknown sandbox "a".',
      status: 404,
    })
    expect(await namesOf(api)).toEqual([])

    await sandboxByPath(api, 'a').delete('/store/orders/1')
    const before = (await api.get('/__admin/sandboxes')).text
    expect(await (await peek('/state')).json()).toMatchObject({ orders: [] })
    expect((await api.get('/__admin/sandboxes')).text).toBe(before)
    // Only reading is looking.
    expect((await peek('/reset', 'POST')).status).toBe(204)
    expect((await api.get('/__admin/sandboxes')).body).toMatchObject([{ name: 'a', requests: 2 }])
  })

  it('may have any valid name', async () => {
    const api = await openClient(adapter, { fixtures })
    await forEachCase(['a', '0', '-', '_._', 'A.b-C_9', 'x'.repeat(64), '__admin', 'sandbox', 'pets'], async (name) => {
      await sandboxByPath(api, name).delete('/store/orders/1')
      expect((await sandboxByHeader(api, name).get('/store/orders')).body).toEqual([])
      expect(await namesOf(api)).toEqual([name])
      api.mock.petstore.sandboxes.delete(name)
    })
  })

  it('is not addressed by similar paths', async () => {
    const api = await openClient(adapter, { fixtures })
    await forEachCase(
      ['/sandbox', '/Sandbox/a/pets', '/sandboxes/a/pets', '/sandbox/a/sandbox/b/pets', '/sandbox/a', '/sandbox/a/'],
      async (path) => {
        expectError(await api.get(path), 404, 'ROUTE_NOT_FOUND')
        expect(await namesOf(api)).not.toContain('b')
      },
    )
  })
})

describeAdapters('links in a sandbox', (adapter) => {
  it('include its base address, unless the header names the sandbox', async () => {
    const api = await openClient(adapter, { fixtures })
    const [sandbox, byHeader] = [sandboxByPath(api, 'a'), sandboxByHeader(api, 'a')]
    const created = await sandbox.post('/pets', { name: 'Max', categoryId: 1 })
    expect(created.headers.get('location')).toBe('/sandbox/a/pets/3')
    expect((await byHeader.post('/pets', { name: 'Mo', categoryId: 1 })).headers.get('location')).toBe('/pets/4')
    expect((await api.get('/sandbox/a/pets/3')).body).toMatchObject({ name: 'Max' })
    expect((await api.get('/pets/3')).status).toBe(404)

    const page = parseLinks((await sandbox.get('/pets?limit=1&offset=1')).headers.get('link'))
    expect(Object.values(page).every((target) => target.startsWith('/sandbox/a/pets?'))).toBe(true)
    expect(Object.keys(page)).toEqual(expect.arrayContaining(['first', 'prev', 'next', 'last']))
    const next = await api.get(page.next ?? '')
    expect(next.body).toEqual((await sandbox.get('/pets?limit=1&offset=2')).body)
    expect(next.body).toHaveLength(1)
    const other = parseLinks((await byHeader.get('/pets?limit=1')).headers.get('link'))
    expect(other.next).toMatch(/^\/pets\?/)
  })

  it('include its base address when they point to documentation', async () => {
    const api = await openClient(adapter, { fixtures })
    const targetsOf = async (client: Client) => parseLinks((await client.get('/pets/1')).headers.get('link'))
    const plain = await targetsOf(api)
    const inside = await targetsOf(sandboxByPath(api, 'a'))
    expect(plain.deprecation).toMatch(/^\//)
    expect(inside).toEqual(
      Object.fromEntries(Object.entries(plain).map(([relation, target]) => [relation, `/sandbox/a${target}`])),
    )
    expect((await sandboxByPath(api, 'a').get('/openapi.json')).status).toBe(200)
  })

  it('do not percent-encode its name, even if the request did', async () => {
    const api = await openClient(adapter, { fixtures })
    const created = await api.post('/%73andbox/%61/categories', { name: 'Birds' })
    expect(created.headers.get('location')).toBe('/sandbox/a/categories/3')
  })

  it('include the base address of the mock', async () => {
    const { petstore } = (await openClient(adapter, { fixtures })).mock
    const body = new TextEncoder().encode('{"name":"Birds"}')
    const { response } = await petstore.handle({
      ...{ method: 'POST', path: '/sandbox/a/categories', query: '', base: '/api/v1', body },
      headers: { 'content-type': 'application/json' },
    })
    expect(response.headers.Location).toBe('/api/v1/sandbox/a/categories/3')
  })
})

describeAdapters('the list of sandboxes', (adapter) => {
  it('has each sandbox with its request count, the least recently used first', async () => {
    const api = await openClient(adapter, { fixtures })
    expectResponse(await api.get('/__admin/sandboxes'), 200, [])
    await sandboxByPath(api, 'a').get('/pets')
    await sandboxByHeader(api, 'b').get('/pets')
    await sandboxByPath(api, 'a').get('/__admin/health')
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expectResponse(await api.get('/__admin/sandboxes'), 200, [
      { name: 'b', createdAt: time, lastUsedAt: time, requests: 1 },
      { name: 'a', createdAt: time, lastUsedAt: time, requests: 2 },
    ])
    expect((await api.get('/__admin/sandboxes')).body).toEqual(api.mock.petstore.sandboxes.list())
    // A sandbox sees the same list; reading it counts as use.
    expect(await namesOf(sandboxByPath(api, 'b'))).toEqual(['a', 'b'])
  })

  it('loses a deleted sandbox, which starts again when used', async () => {
    const api = await openClient(adapter, { fixtures })
    const [a, b] = [sandboxByPath(api, 'a'), sandboxByPath(api, 'b')]
    for (const client of [a, b]) await client.delete('/store/orders/1')
    expectNoContent(await api.delete('/__admin/sandboxes/a'))
    expect(await namesOf(api)).toEqual(['b'])
    expect((await a.get('/store/orders/1')).status).toBe(200)
    expect((await b.get('/store/orders/1')).status).toBe(404)
    expectNoContent(await b.delete('/__admin/sandboxes/b'))
    expect(await namesOf(api)).toEqual(['a'])
    api.mock.petstore.sandboxes.delete('a')
    expect(await namesOf(api)).toEqual([])
  })

  it('has at most maxSandboxes, evicting the least recently used', async () => {
    const api = await openClient(adapter, { fixtures, maxSandboxes: 2 })
    for (const name of ['a', 'b', 'a']) await sandboxByPath(api, name).post('/store/orders', {})
    await sandboxByHeader(api, 'c').get('/pets')
    expect(await namesOf(api)).toEqual(['a', 'c'])
    expect((await sandboxByPath(api, 'a').get('/store/orders')).body).toHaveLength(3)
    expect((await sandboxByPath(api, 'b').get('/store/orders')).body).toHaveLength(1)
    expect(await namesOf(api)).toEqual(['a', 'b'])
  })

  it('reports a sandbox that is evicted with an event of the root', async () => {
    const api = await openClient(adapter, { fixtures, maxSandboxes: 2 })
    const { petstore } = api.mock
    const seen: unknown[] = []
    petstore.events.subscribe((event) => seen.push(event))
    for (const name of ['a', 'b', 'c', 'b']) await sandboxByPath(api, name).get('/pets')
    expect(seen).toEqual([{ type: 'sandbox', change: 'evicted', name: 'a', reason: 'limit' }])
    petstore.sandboxes.open('d')
    petstore.sandboxes.delete('d')
    expect(seen.slice(1)).toEqual([{ type: 'sandbox', change: 'evicted', name: 'c', reason: 'limit' }])
  })

  it.each(['maxSandboxes', 'sandboxIdleMs'])('rejects %s 0', async (option) => {
    await expect(adapter.open({ [option]: 0 })).rejects.toThrow(`Option "${option}" must be`)
  })
})
