import { expect, it } from 'vitest'
import { describeAdapters } from '../support/adapters.js'
import { exportState, exportText, openClient } from '../support/client.js'

describeAdapters('a seed', (adapter) => {
  it.each([0, 1, 7, 4_294_967_296, Number.MAX_SAFE_INTEGER])('of %i gives the same data every time', async (seed) => {
    const one = await openClient(adapter, { seed })
    const other = await openClient(adapter, { seed })
    const data = await exportText(one.mock)
    expect(await exportText(other.mock)).toBe(data)
    one.mock.petstore.reset()
    expect(await exportText(one.mock)).toBe(data)
  })

  it('is 1 by default', async () => {
    const one = await openClient(adapter)
    const other = await openClient(adapter, { seed: 1, scenario: 'default' })
    expect(await exportText(other.mock)).toBe(await exportText(one.mock))
  })

  it('gives other data than another seed', async () => {
    const texts = new Set<string>()
    for (const seed of [0, 1, 2, 7, 8]) texts.add(await exportText((await openClient(adapter, { seed })).mock))
    expect(texts.size).toBe(5)
  })

  it('does not affect a scenario with fixed data', async () => {
    for (const seed of [1, 7]) {
      const { mock } = await openClient(adapter, { seed, scenario: 'empty' })
      expect(await exportState(mock)).toEqual({ categories: [], pets: [], inventory: [], orders: [] })
    }
  })

  it('gives mocks that share nothing', async () => {
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
