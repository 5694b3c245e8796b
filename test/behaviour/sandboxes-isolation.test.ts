import { expect, it } from 'vitest'
import { type Adapter, describeAdapters } from '../support/adapters.js'
import { expectNoContent, readState, sandboxByHeader, sandboxByPath } from '../support/admin.js'
import { type Client, expectError, openClient, readResponse, shop } from '../support/client.js'

const fixtures = shop([{ id: 1, name: 'Rex' }, { id: 2 }], [{ id: 1, petId: 2, quantity: 1 }])

describeAdapters('a sandbox', (adapter) => {
  /** The root instance and two of its sandboxes. */
  async function openThree(options: Parameters<Adapter['open']>[0] = { fixtures }) {
    const api = await openClient(adapter, options)
    return { api, a: sandboxByPath(api, 'a'), b: sandboxByHeader(api, 'b') }
  }

  it('has its own ids', async () => {
    const { api, a, b } = await openThree()
    const locations: (string | null)[] = []
    for (const client of [a, a, b, api, a, b]) {
      locations.push((await client.post('/store/orders', {})).headers.get('location'))
    }
    expect(locations).toEqual([
      ...['/sandbox/a/store/orders/2', '/sandbox/a/store/orders/3', '/store/orders/2'],
      ...['/store/orders/2', '/sandbox/a/store/orders/4', '/store/orders/3'],
    ])
  })

  it('reports errors to check() of its parent', async () => {
    const { api, a } = await openThree({ fixtures, failOn: ['deprecated'] })
    await a.get('/pets/1')
    expect(() => api.mock.petstore.check()).toThrow(/getPet was used once, but is deprecated/)
    expect(() => api.mock.petstore.check()).not.toThrow()
  })

  it('has its own journal', async () => {
    const { api, a, b } = await openThree()
    await a.get('/pets?limit=1')
    await a.get('/categories')
    await b.get('/store/orders')
    await api.get('/store/inventory')
    const pathsOf = async (client: Client) => {
      const { body } = await client.get('/__admin/journal')
      return (body as { entries: { path: string }[] }).entries.map(({ path }) => path)
    }
    expect(await pathsOf(a)).toEqual(['/pets', '/categories'])
    expect(await pathsOf(b)).toEqual(['/store/orders'])
    expect(await pathsOf(api)).toEqual(['/store/inventory'])
    expectNoContent(await a.delete('/__admin/journal'))
    expect([await pathsOf(a), await pathsOf(b)]).toEqual([[], ['/store/orders']])
    const { journal } = api.mock.petstore.sandboxes.open('b')
    expect(journal.entries()).toMatchObject([{ id: 1, operation: 'listOrders' }])
  })

  it('has its own faults', async () => {
    const { api, a, b } = await openThree()
    expect((await a.post('/__admin/faults', { operation: 'listPets', status: 503 })).status).toBe(201)
    const statuses = async () => [
      (await a.get('/pets')).status,
      (await b.get('/pets')).status,
      (await api.get('/pets')).status,
    ]
    expect(await statuses()).toEqual([503, 200, 200])
    api.mock.petstore.faults.add({ status: 500 })
    expect(await statuses()).toEqual([503, 200, 500])
    expectNoContent(await b.delete('/__admin/faults'))
    expect(await statuses()).toEqual([503, 200, 500])
  })

  it('has its own overrides', async () => {
    const { api, a, b } = await openThree()
    api.mock.petstore.sandboxes.open('a').override('listCategories', { status: 503 })
    expect([(await a.get('/categories')).status, (await b.get('/categories')).status]).toEqual([503, 200])
    expect((await api.get('/categories')).status).toBe(200)
    expectNoContent(await b.post('/__admin/reset'))
    expect((await a.get('/categories')).status).toBe(503)
    expectNoContent(await a.post('/__admin/reset'))
    expect((await a.get('/categories')).status).toBe(200)
  })

  it('has its own clock', async () => {
    const { api, a, b } = await openThree()
    await a.put('/__admin/clock', { now: '2031-01-01T00:00:00Z', frozen: true })
    await b.put('/__admin/clock', { now: '1999-01-01T00:00:00Z', frozen: true })
    await b.post('/__admin/clock/advance', { by: 'P1D' })
    expect((await a.get('/__admin/clock')).body).toEqual({
      now: '2031-01-01T00:00:00.000Z',
      frozen: true,
      sunset: 'announce',
    })
    expect((await b.get('/__admin/clock')).body).toEqual({
      now: '1999-01-02T00:00:00.000Z',
      frozen: true,
      sunset: 'announce',
    })
    expect((await api.get('/__admin/clock')).body).toMatchObject({ frozen: false })
    expect(api.mock.petstore.sandboxes.open('b').clock.state()).toEqual({
      now: '1999-01-02T00:00:00.000Z',
      frozen: true,
      sunset: 'announce',
    })
  })

  it('has its own snapshots', async () => {
    const { api, a, b } = await openThree()
    await a.delete('/store/orders/1')
    await a.post('/__admin/snapshots', { name: 'mine' })
    expect((await a.get('/__admin/snapshots')).body).toMatchObject([{ name: 'mine', sizes: { orders: 0 } }])
    expect((await b.get('/__admin/snapshots')).body).toEqual([])
    expectError(await b.post('/__admin/snapshots/mine/restore'), 404, 'SNAPSHOT_NOT_FOUND')
    expectError(await api.post('/__admin/snapshots/mine/restore'), 404, 'SNAPSHOT_NOT_FOUND')
    const { petstore } = api.mock
    const snapshot = petstore.sandboxes.open('a').snapshot()
    for (const other of [petstore, petstore.sandboxes.open('b')]) {
      expect(() => other.restore(snapshot)).toThrow(expect.objectContaining({ code: 'FOREIGN_SNAPSHOT' }))
    }
  })

  it('is reset on its own, to the starting data of its parent', async () => {
    const { api, a, b } = await openThree()
    const start = await readState(api)
    for (const client of [api, a, b]) await client.post('/categories', { name: 'Birds' })
    const changed = await readState(api)
    expectNoContent(await a.post('/__admin/reset'))
    expect([await readState(a), await readState(b), await readState(api)]).toEqual([start, changed, changed])
    expectNoContent(await api.post('/__admin/reset'))
    expect([await readState(a), await readState(b), await readState(api)]).toEqual([start, changed, start])
  })

  it('can be reset to other starting data', async () => {
    const { api, a, b } = await openThree()
    expectNoContent(await a.post('/__admin/reset', { scenario: 'big-ids', seed: 5 }))
    expect((await a.get('/__admin/health')).body).toMatchObject({ scenario: 'big-ids', seed: 5 })
    expect((await b.get('/__admin/health')).body).toMatchObject({ scenario: 'empty', seed: 1 })
    expect(await readState(b)).toBe(await readState(api))
    expect(await readState(a)).not.toBe(await readState(api))
    expectNoContent(await a.post('/__admin/reset'))
    expect(await readState(a)).toBe(await readState(api))
  })

  it('has the data that its parent loaded meanwhile after its next reset', async () => {
    const { api, a, b } = await openThree()
    const old = await readState(a)
    await api.mock.petstore.load({ categories: [{ id: 7, name: 'Birds' }] })
    expect(await readState(a)).toBe(old)
    expectNoContent(await a.post('/__admin/reset'))
    expect((await a.get('/categories')).body).toEqual([{ id: 7, name: 'Birds' }])
    expect((await b.get('/categories')).body).toEqual([{ id: 7, name: 'Birds' }])
  })

  it('has its own coverage, which also counts for its parent', async () => {
    const { api, a, b } = await openThree()
    await a.get('/pets')
    await a.get('/pets')
    await b.get('/categories')
    await api.get('/pets')
    const countsOf = async (client: Client) => {
      const { operations } = (await client.get('/__admin/coverage')).body as {
        operations: { operation: string; count: number }[]
      }
      return Object.fromEntries(operations.flatMap(({ operation, count }) => (count ? [[operation, count]] : [])))
    }
    expect(await countsOf(a)).toEqual({ listPets: 2 })
    expect(await countsOf(b)).toEqual({ listCategories: 1 })
    expect(await countsOf(api)).toEqual({ listPets: 3, listCategories: 1 })
  })

  it('can be set up and inspected in process', async () => {
    const { api, a } = await openThree()
    const sandbox = api.mock.petstore.sandboxes.open('a')
    sandbox.data.pets.create({ name: 'Max', categoryId: 1 })
    expect((await a.get('/pets/3')).body).toMatchObject({ name: 'Max' })
    expect((await readResponse(await sandbox.fetch('/pets/3'))).body).toMatchObject({ name: 'Max' })
    const snapshot = sandbox.snapshot()
    await a.delete('/pets/3')
    sandbox.restore(snapshot)
    expect((await a.get('/pets/3')).status).toBe(200)
    expect(sandbox.exportState()).toEqual({ ...api.mock.petstore.exportState(), ...sandbox.exportState() })
    sandbox.reset()
    expect(await readState(a)).toBe(await readState(api))
    expect(api.mock.petstore.sandboxes.open('a')).toBe(sandbox)
  })

  it('has the options of its parent', async () => {
    const { a } = await openThree({ fixtures, rules: 'off', strict: true, sunset: 'enforce', maxBodyBytes: 50 })
    expectError(await a.get('/pets?other=1'), 400, 'INVALID_REQUEST', 'other')
    expect((await a.delete('/categories/1')).status).toBe(204)
    expectError(await a.post('/pets', { name: 'x'.repeat(50), categoryId: 1 }), 413, 'BODY_TOO_LARGE')
    await a.put('/__admin/clock', { now: '2031-01-01T00:00:00Z' })
    expectError(await a.get('/pets/1'), 410, 'OPERATION_SUNSET')
  })
})
