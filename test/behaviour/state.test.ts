import { expect, it } from 'vitest'
import type { PartialFixture } from '../../src/index.js'
import { describeAdapters } from '../support/adapters.js'
import { forEachCase } from '../support/cases.js'
import { exportText, openClient, probeNextIds, shop } from '../support/client.js'

const fixtures = shop([{ id: 1 }, { id: 2, stock: 4 }, { id: 3, status: 'sold' }], [{ id: 1, petId: 2, quantity: 1 }])

describeAdapters('an exported state', (adapter) => {
  it('has all data, and the next ids', async () => {
    const api = await openClient(adapter, { fixtures })
    await api.post('/pets', { name: 'Max', categoryId: 2 })
    await api.delete('/pets/4')
    await api.put('/pets/1', { name: 'Rover', categoryId: 2 })
    const state = api.mock.petstore.exportState()
    expect(state).toEqual({
      categories: fixtures.categories,
      pets: [{ id: 1, name: 'Rover', categoryId: 2, status: 'available' }, ...fixtures.pets.slice(1)],
      inventory: fixtures.inventory,
      orders: [{ id: 1, petId: 2, quantity: 1 }],
      nextIds: { categories: 3, pets: 5, orders: 2 },
      specHash: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
  })

  it.each(['default', 'edge-cases', 'big-ids', 'empty'] as const)(
    'of %s can be imported into another mock, byte for byte and with the next ids',
    async (scenario) => {
      const from = await openClient(adapter, { scenario })
      await from.post('/categories', { name: 'New' })
      await from.post('/store/orders', {})
      const to = await openClient(adapter, { scenario: 'busy' })
      to.mock.petstore.importState(from.mock.petstore.exportState())
      expect(await exportText(to.mock)).toBe(await exportText(from.mock))
      expect(await probeNextIds(to.mock)).toEqual(await probeNextIds(from.mock))
      expect(to.mock.petstore.exportState()).toEqual(from.mock.petstore.exportState())
    },
  )

  it('that was imported is replaced by a reset, which returns to the starting data', async () => {
    const api = await openClient(adapter, { fixtures })
    const before = [await exportText(api.mock), await probeNextIds(api.mock)]
    api.mock.petstore.importState({ categories: [{ id: 9, name: 'Birds' }], nextIds: { pets: 100 } })
    expect((await api.post('/pets', { name: 'Tweety', categoryId: 9 })).headers.get('location')).toBe('/pets/100')
    api.mock.petstore.reset()
    expect([await exportText(api.mock), await probeNextIds(api.mock)]).toEqual(before)
  })

  it('keeps the next ids, even if the largest int64 is in use', async () => {
    const from = await openClient(adapter, { scenario: 'big-ids' })
    const created = await Promise.all(Array.from({ length: 8 }, () => from.post('/categories', { name: 'New' })))
    for (const { headers } of created) await from.delete(headers.get('location') as string)
    const to = await openClient(adapter)
    to.mock.petstore.importState(from.mock.petstore.exportState())
    expect(await probeNextIds(to.mock)).toEqual(await probeNextIds(from.mock))
  })

  it('can be written as JSON, with any ids', async () => {
    const from = await openClient(adapter, { scenario: 'big-ids' })
    const to = await openClient(adapter)
    to.mock.petstore.importState(JSON.parse(JSON.stringify(from.mock.petstore.exportState())))
    expect(await exportText(to.mock)).toBe(await exportText(from.mock))
  })

  it('can be used as fixtures', async () => {
    const from = await openClient(adapter, { fixtures })
    await from.delete('/pets/3')
    const to = await openClient(adapter, { fixtures: from.mock.petstore.exportState() })
    expect(await exportText(to.mock)).toBe(await exportText(from.mock))
    expect((await to.post('/pets', { name: 'Max', categoryId: 1 })).headers.get('location')).toBe('/pets/4')
    to.mock.petstore.reset()
    expect((await to.post('/pets', { name: 'Max', categoryId: 1 })).headers.get('location')).toBe('/pets/4')
  })
})

describeAdapters('an imported state', (adapter) => {
  it('continues after the largest id if it has no next ids', async () => {
    const api = await openClient(adapter, { scenario: 'busy' })
    api.mock.petstore.importState({ categories: [5, 6, 9].map((id) => ({ id, name: `Bird ${id}` })) })
    const created = [await api.post('/categories', { name: 'A' }), await api.post('/categories', { name: 'B' })]
    expect(created.map(({ headers }) => headers.get('location'))).toEqual(['/categories/10', '/categories/11'])
    const snapshot = api.mock.petstore.snapshot()
    api.mock.petstore.reset()
    api.mock.petstore.restore(snapshot)
    expect((await api.post('/categories', { name: 'C' })).headers.get('location')).toBe('/categories/12')
  })

  it('is rejected as a whole if it is invalid', async () => {
    const api = await openClient(adapter, { fixtures })
    await forEachCase(
      [
        ['a number', 5, /must be an object/],
        ['undefined', undefined, /must be an object/],
        ['a wrong type', { categories: [{ id: 'x', name: 'Dogs' }] }, /\/categories\/0\/id must be/],
        ['next ids of an unknown kind', { nextIds: { cats: 1 } }, /\/nextIds\/cats is unknown/],
        ['next ids in an array', { nextIds: [1] }, /\/nextIds must be an object/],
      ] as [string, unknown, RegExp][],
      async ([_, state, message]) => {
        const before = [await exportText(api.mock), await probeNextIds(api.mock)]
        expect(() => api.mock.petstore.importState(state as PartialFixture)).toThrow(message)
        expect([await exportText(api.mock), await probeNextIds(api.mock)]).toEqual(before)
      },
    )
  })
})
