import { expect, it } from 'vitest'
import { adapters, describeAdapters } from '../support/adapters.js'
import { expectNoContent, readState, sandboxByPath } from '../support/admin.js'
import { forEachCase } from '../support/cases.js'
import { type Client, expectError, expectResponse, openClient, probeNextIds, shop } from '../support/client.js'

const fixtures = shop(
  [
    { id: 1, name: 'Rex' },
    { id: 2, stock: 4 },
  ],
  [{ id: 1, petId: 2, quantity: 1 }],
)

async function namesOf(api: Client): Promise<string[]> {
  return ((await api.get('/__admin/snapshots')).body as { name: string }[]).map(({ name }) => name)
}

describeAdapters('a named snapshot', (adapter) => {
  it('can be taken, listed and restored repeatedly', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.put('/__admin/clock', { now: '2026-05-01T10:00:00Z', frozen: true })
    expectResponse(await api.get('/__admin/snapshots'), 200, [])
    const described = {
      name: 'before-checkout',
      takenAt: '2026-05-01T10:00:00.000Z',
      sizes: { categories: 2, pets: 2, orders: 1 },
    }
    expectResponse(await api.post('/__admin/snapshots', { name: 'before-checkout' }), 201, described)
    expectResponse(await api.get('/__admin/snapshots'), 200, [described])
    const before = await readState(api)
    for (let count = 0; count < 3; count++) {
      await api.post('/store/orders', { petId: 2, quantity: 3 })
      await api.delete('/pets/1')
      expect(await readState(api)).not.toBe(before)
      expectNoContent(await api.post('/__admin/snapshots/before-checkout/restore'))
      expect(await readState(api)).toBe(before)
    }
  })

  it('is the same in process and over HTTP', async () => {
    const api = await openClient(adapter, { fixtures })
    const { snapshots } = api.mock.petstore
    await api.post('/__admin/snapshots', { name: 'one' })
    await api.delete('/store/orders/1')
    expect(snapshots.take('two')).toMatchObject({ name: 'two', sizes: { categories: 2, pets: 2, orders: 0 } })
    expect((await api.get('/__admin/snapshots')).body).toEqual(snapshots.list())
    expect(snapshots.list().map(({ name }) => name)).toEqual(['one', 'two'])
    snapshots.restore('one')
    expect((await api.get('/store/orders/1')).status).toBe(200)
    expectNoContent(await api.post('/__admin/snapshots/two/restore'))
    expect((await api.get('/store/orders/1')).status).toBe(404)
    snapshots.delete('one')
    expectNoContent(await api.delete('/__admin/snapshots/two'))
    expect([await namesOf(api), snapshots.list()]).toEqual([[], []])
  })

  it('restores the next ids with the data', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.post('/pets', { name: 'Max', categoryId: 1 })
    await api.delete('/pets/3')
    await api.post('/__admin/snapshots', { name: 'later' })
    const next = await probeNextIds(api.mock)
    for (let count = 0; count < 5; count++) await api.post('/pets', { name: 'Mo', categoryId: 1 })
    expectNoContent(await api.post('/__admin/snapshots/later/restore'))
    expect(await probeNextIds(api.mock)).toEqual(next)
    expect((await api.post('/pets', { name: 'Mo', categoryId: 1 })).headers.get('location')).toBe('/pets/4')
  })

  it('replaces an older one with the same name', async () => {
    const api = await openClient(adapter, { fixtures })
    for (const name of ['a', 'b']) await api.post('/__admin/snapshots', { name })
    await api.delete('/store/orders/1')
    expect((await api.post('/__admin/snapshots', { name: 'a' })).body).toMatchObject({ sizes: { orders: 0 } })
    expect(await namesOf(api)).toEqual(['b', 'a'])
    await api.post('/__admin/reset')
    expectNoContent(await api.post('/__admin/snapshots/a/restore'))
    expect((await api.get('/store/orders')).body).toEqual([])
    expectNoContent(await api.post('/__admin/snapshots/b/restore'))
    expect((await api.get('/store/orders')).body).toHaveLength(1)
  })

  it('does not affect clock, faults, journal and overrides', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.post('/__admin/snapshots', { name: 'a' })
    await api.put('/__admin/clock', { now: '2026-05-01T10:00:00Z', frozen: true })
    await api.post('/__admin/faults', { operation: 'listOrders', status: 503 })
    api.mock.petstore.override('listPets', { status: 500 })
    await api.get('/categories')
    expectNoContent(await api.post('/__admin/snapshots/a/restore'))
    expect((await api.get('/__admin/clock')).body).toEqual({
      now: '2026-05-01T10:00:00.000Z',
      frozen: true,
      sunset: 'announce',
    })
    expect((await api.get('/store/orders')).status).toBe(503)
    expect((await api.get('/pets')).status).toBe(500)
    expect(api.mock.petstore.journal.total).toBe(3)
  })

  it('is kept by a reset, also to other starting data', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.post('/categories', { name: 'Birds' })
    await api.post('/__admin/snapshots', { name: 'birds' })
    const birds = await readState(api)
    const next = await probeNextIds(api.mock)
    for (const options of [undefined, { scenario: 'big-ids' }, { scenario: 'default', seed: 3 }, {}]) {
      expectNoContent(await api.post('/__admin/reset', options))
      expect(await namesOf(api)).toContain('birds')
      await api.post('/__admin/snapshots', { name: 'other' })
      const other = await readState(api)
      expectNoContent(await api.post('/__admin/snapshots/birds/restore'))
      expect([await readState(api), await probeNextIds(api.mock)]).toEqual([birds, next])
      expectNoContent(await api.post('/__admin/snapshots/other/restore'))
      expect(await readState(api)).toBe(other)
    }
  })

  it('restores the scenario and seed that health reports, and the next reset returns to the start', async () => {
    const api = await openClient(adapter, { fixtures })
    const start = await readState(api)
    const readHealth = async () => (await api.get('/__admin/health')).body
    await api.post('/__admin/reset', { scenario: 'single', seed: 9 })
    await api.post('/__admin/snapshots', { name: 'single' })
    await api.post('/__admin/reset')
    expect(await readHealth()).toMatchObject({ scenario: 'empty', seed: 1 })
    await api.post('/__admin/snapshots/single/restore')
    expect(await readHealth()).toMatchObject({ scenario: 'single', seed: 9 })
    await api.post('/__admin/reset')
    expect(await readState(api)).toBe(start)
  })

  it('is kept when data is loaded or imported', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.post('/__admin/snapshots', { name: 'first' })
    const first = await readState(api)
    await api.mock.petstore.load({ categories: [{ id: 7, name: 'Birds' }] })
    expectNoContent(await api.post('/__admin/snapshots/first/restore'))
    expect(await readState(api)).toBe(first)
    expectNoContent(await api.put('/__admin/state', { categories: [{ id: 8, name: 'Fish' }], nextIds: { orders: 50 } }))
    await api.post('/__admin/snapshots', { name: 'second' })
    const second = await readState(api)
    await api.post('/__admin/reset')
    expect((await api.get('/categories')).body).toEqual([{ id: 7, name: 'Birds' }])
    for (const [name, state] of Object.entries({ first, second })) {
      expectNoContent(await api.post(`/__admin/snapshots/${name}/restore`))
      expect(await readState(api)).toBe(state)
    }
    expect((await api.post('/store/orders', {})).headers.get('location')).toBe('/store/orders/50')
  })

  it('that is unknown cannot be restored or deleted', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.post('/__admin/snapshots', { name: 'a' })
    const before = await readState(api)
    expectError(await api.post('/__admin/snapshots/b/restore'), 404, 'SNAPSHOT_NOT_FOUND', '"b"')
    expectError(await api.delete('/__admin/snapshots/b'), 404, 'SNAPSHOT_NOT_FOUND', '"b"')
    expectError(await api.post('/__admin/snapshots/A/restore'), 404, 'SNAPSHOT_NOT_FOUND', '"A"')
    expectNoContent(await api.delete('/__admin/snapshots/a'))
    expectError(await api.delete('/__admin/snapshots/a'), 404, 'SNAPSHOT_NOT_FOUND', '"a"')
    expect(await readState(api)).toBe(before)
    const { snapshots } = api.mock.petstore
    for (const act of [snapshots.restore, snapshots.delete]) {
      expect(() => act('a')).toThrow(expect.objectContaining({ code: 'SNAPSHOT_NOT_FOUND' }))
    }
  })

  it('cannot have an invalid name', async () => {
    const api = await openClient(adapter, { fixtures })
    const words = '1 to 64 letters, digits, ".", "_" or "-"'
    await forEachCase(['', 'a b', 'a/b', 'ä', 'x'.repeat(65)], async (name) => {
      expectError(await api.post('/__admin/snapshots', { name }), 400, 'INVALID_REQUEST', words)
      expect(() => api.mock.petstore.snapshots.take(name)).toThrow(`the name of a snapshot must be ${words}`)
      if (name !== '') {
        const path = `/__admin/snapshots/${encodeURIComponent(name)}`
        expectError(await api.post(`${path}/restore`), 400, 'INVALID_REQUEST', words)
        expectError(await api.delete(path), 400, 'INVALID_REQUEST', words)
      }
      expect(await namesOf(api)).toEqual([])
    })
  })

  it('is limited to a thousand per instance, but can be replaced', async () => {
    const api = await openClient(adapter, { fixtures })
    const { snapshots } = api.mock.petstore
    for (let count = 1; count <= 1000; count++) snapshots.take(`s${count}`)
    expectError(await api.post('/__admin/snapshots', { name: 'more' }), 422, 'LIMIT_REACHED', '1000 snapshots')
    expect(() => snapshots.take('more')).toThrow(expect.objectContaining({ code: 'LIMIT_REACHED' }))
    expect((await api.post('/__admin/snapshots', { name: 's1' })).status).toBe(201)
    expectNoContent(await api.delete('/__admin/snapshots/s2'))
    expect((await api.post('/__admin/snapshots', { name: 'more' })).status).toBe(201)
    expect(snapshots.list()).toHaveLength(1000)
    // A sandbox has its own limit.
    expect((await sandboxByPath(api, 'a').post('/__admin/snapshots', { name: 'more' })).status).toBe(201)
  })
})

describeAdapters('two snapshots', (adapter) => {
  it('without names can be restored in turn, also after a reset to other starting data', async () => {
    const api = await openClient(adapter, { fixtures })
    const { petstore } = api.mock
    const start = { snapshot: petstore.snapshot(), state: await readState(api) }
    await petstore.reset({ scenario: 'big-ids' })
    await api.post('/categories', { name: 'New' })
    const other = { snapshot: petstore.snapshot(), state: await readState(api) }
    petstore.reset()
    for (const { snapshot, state } of [other, start, other, other, start]) {
      petstore.restore(snapshot)
      expect(await readState(api)).toBe(state)
    }
  })
})

describeAdapters('a snapshot taken', (adapter) => {
  it.each(adapters.map((other) => [other.name, other] as const))(
    'can be imported %s, byte for byte',
    async (_, other) => {
      const from = await openClient(adapter, { scenario: 'big-ids' })
      await from.post('/categories', { name: 'New' })
      await from.post('/store/orders', {})
      await from.post('/__admin/snapshots', { name: 'taken' })
      await from.post('/__admin/reset', { scenario: 'single' })
      await from.post('/__admin/snapshots/taken/restore')
      const state = await readState(from)
      const to = await openClient(other, { fixtures })
      expectNoContent(await to.put('/__admin/state', state))
      expect(await readState(to)).toBe(state)
      expect(await probeNextIds(to.mock)).toEqual(await probeNextIds(from.mock))
      expectNoContent(await to.post('/__admin/snapshots', { name: 'taken' }).then(() => to.post('/__admin/reset')))
      expectNoContent(await to.post('/__admin/snapshots/taken/restore'))
      expect(await readState(to)).toBe(state)
    },
  )
})
