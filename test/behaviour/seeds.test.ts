import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { exportState, exportText, openClient } from '../support/client.js'

describeAdapters('a seed', (adapter) => {
  it.each([0, 1, 7, 4_294_967_296, Number.MAX_SAFE_INTEGER])('of %i gives the same world every time', async (seed) => {
    const one = await openClient(adapter, { seed })
    const other = await openClient(adapter, { seed })
    const world = await exportText(one.mock)
    expect(await exportText(other.mock)).toBe(world)
    one.mock.petstore.reset()
    expect(await exportText(one.mock)).toBe(world)
  })

  it('is 1 unless another one is given', async () => {
    const one = await openClient(adapter)
    const other = await openClient(adapter, { seed: 1, scenario: 'default' })
    expect(await exportText(other.mock)).toBe(await exportText(one.mock))
  })

  it('of another number gives another world', async () => {
    const worlds = new Set<string>()
    for (const seed of [0, 1, 2, 7, 8]) worlds.add(await exportText((await openClient(adapter, { seed })).mock))
    expect(worlds.size).toBe(5)
  })

  it('of any number changes nothing in a world of fixed data', async () => {
    for (const seed of [1, 7]) {
      const { mock } = await openClient(adapter, { seed, scenario: 'empty' })
      expect(await exportState(mock)).toEqual({ categories: [], pets: [], inventory: [], orders: [] })
    }
  })

  it('gives worlds that share nothing', async () => {
    const one = await openClient(adapter, { seed: 7 })
    const other = await openClient(adapter, { seed: 7 })
    const before = await exportText(other.mock)
    await one.post('/categories', { name: 'Owls' })
    await one.put('/categories/1', { name: 'Newts' })
    await one.post('/store/orders', { quantity: 3 })
    expect(await exportText(one.mock)).not.toBe(before)
    expect(await exportText(other.mock)).toBe(before)
  })
})
