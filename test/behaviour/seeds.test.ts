import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { exportState, exportText, openClient } from '../support/client.js'

describeAdapters('a seed', (adapter) => {
  it.each([0, 1, 7, 4_294_967_296, Number.MAX_SAFE_INTEGER])('of %i gives the same world every time', async (seed) => {
    const one = await openClient(adapter, { seed })
    const other = await openClient(adapter, { seed })
    const world = await exportText(one.open)
    expect(await exportText(other.open)).toBe(world)
    one.open.petstore.reset()
    expect(await exportText(one.open)).toBe(world)
  })

  it('is 1 unless another one is given', async () => {
    const one = await openClient(adapter)
    const other = await openClient(adapter, { seed: 1, scenario: 'default' })
    expect(await exportText(other.open)).toBe(await exportText(one.open))
  })

  it('of another number gives another world', async () => {
    const worlds = new Set<string>()
    for (const seed of [0, 1, 2, 7, 8]) worlds.add(await exportText((await openClient(adapter, { seed })).open))
    expect(worlds.size).toBe(5)
  })

  it('of any number changes nothing in a world of fixed data', async () => {
    for (const seed of [1, 7]) {
      const { open } = await openClient(adapter, { seed, scenario: 'empty' })
      expect(await exportState(open)).toEqual({ categories: [], pets: [], inventory: [], orders: [] })
    }
  })

  it('gives worlds that share nothing', async () => {
    const one = await openClient(adapter, { seed: 7 })
    const other = await openClient(adapter, { seed: 7 })
    const before = await exportText(other.open)
    await one.post('/categories', { name: 'Owls' })
    await one.put('/categories/1', { name: 'Newts' })
    await one.post('/store/orders', { quantity: 3 })
    expect(await exportText(one.open)).not.toBe(before)
    expect(await exportText(other.open)).toBe(before)
  })
})
